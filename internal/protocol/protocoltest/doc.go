// Package protocoltest makes documents for tests: valid ones that are hard to get right,
// and invalid ones that know which member is wrong. It also holds the frame that the
// protocol's properties are run in. Only tests import it.
package protocoltest
