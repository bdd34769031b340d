// Package compatibility tells what of a skill's new version breaks those who call it by an
// older one: calls that were valid and are no longer, and answers that are not what was
// promised. It knows documents only.
//
// JSON Schemas are compared by their structure. Where that can't tell, the answer is that
// callers may break: nothing that passes does.
package compatibility
