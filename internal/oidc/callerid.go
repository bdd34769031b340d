package oidc

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxCallerID bounds the name of a caller, in bytes.
const maxCallerID = 200

// callerID is the name of a caller in logs: "oidc:", its issuer without the scheme, and its
// subject. No key's id has a colon. What can't be read on a line is written as %XX, as is a
// colon of the issuer, and one that is too long ends in a hash of all of it, so that no two
// callers have one name. An issuer without TLS keeps its scheme.
func callerID(issuer, subject string) string {
	place := strings.ReplaceAll(strings.TrimPrefix(issuer, "https://"), ":", "%3A")
	id := []byte("oidc:" + place + ":")
	for i := range len(subject) {
		if b := subject[i]; b > ' ' && b <= '~' && b != '%' && b != '"' && b != '\\' {
			id = append(id, b)
		} else {
			id = append(id, '%')
			id = append(id, strings.ToUpper(hex.EncodeToString([]byte{b}))...)
		}
	}
	if len(id) <= maxCallerID {
		return string(id)
	}
	hash := sha256.Sum256(id)
	end := "~" + hex.EncodeToString(hash[:8])
	return string(id[:maxCallerID-len(end)]) + end
}
