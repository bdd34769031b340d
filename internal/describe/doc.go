// Package describe makes descriptors from what exists. It knows documents only.
package describe
