// Package access says who may see and do what: callers, their keys, and the pure
// rules over skills and versions.
//
// Every rule is a function of its arguments. The package knows nothing of storage or
// HTTP, takes the clock and randomness from its caller, and answers "no" wherever
// it is asked about something that it does not know.
package access
