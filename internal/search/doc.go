// Package search finds documents by their words. What a document scores for a query is
// a function of the two alone: no other document, nor how many there are, has a part in
// it, so that whoever sees only some of them learns nothing of the others. An Index finds
// the same, with the same scores, without a look at every document.
//
// It knows texts and their fields only: nothing of skills, callers or HTTP.
package search
