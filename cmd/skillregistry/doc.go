// Command skillregistry is the registry and the tool of those who use one.
//
// "skillregistry serve" is the registry: HTTP in front of one store. The other verbs
// talk to a registry (publish, get, list, changes, deprecate, yank, activate, delete,
// keys), check documents without one (validate), or look after an installation (migrate,
// export, import, healthcheck, version).
// "skillregistry help VERB" says what each does, with examples.
//
// This package wires the parts together and knows flags, the environment, signals and
// exit statuses. What a skill is, who may see it and how it is kept stands in the
// packages that it wires.
package main
