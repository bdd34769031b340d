// Package browser looks at the registry's pages as people do: in a real browser, with and
// without scripts, by keyboard, on phones, in the dark. It holds tests only, which know the
// registry by its binary and its pages alone.
//
// It is a module of its own so that what drives the browser is no part of the registry.
package browser
