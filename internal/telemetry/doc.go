// Package telemetry is how a registry is seen running: metrics for Prometheus, and traces
// for a collector that speaks OTLP. It alone knows either; everything else tells plain
// facts.
//
// How many series and names of spans there are follows from the routes, the error codes and
// the methods of HTTP, never from what callers send. No metric or span has a key, or the id
// of a skill, in it.
package telemetry
