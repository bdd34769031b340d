// Package page writes the registry's pages for people: what is here, one skill, what
// changed between two of its versions, and errors. It makes bytes of HTML from what the
// catalog shows a caller, and knows nothing of requests and answers.
//
// Nothing in a page is a script or a style but the two files that belong to all of them, so
// that a policy without exceptions can forbid all others. Text of publishers is escaped, and
// held in its place: whatever directions and lengths it has, the page around stays as it is.
package page
