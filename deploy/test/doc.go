// Package deploy is a module of its own so that the tools which judge the files of
// the folder above, and the Dockerfile, are no dependencies of the registry. It holds
// tests only.
package deploy
