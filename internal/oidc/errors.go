package oidc

import "time"

// TokenError says that a token admits nobody. It holds nothing of the token.
type TokenError struct {
	// Reason says to the token's bearer why, to stand behind "The token is not valid: ".
	// It is printable ASCII without quotes and backslashes, so that it can stand in a header.
	Reason string
}

func (e *TokenError) Error() string { return "the token is not valid: " + e.Reason }

// KeysError says that an issuer's keys can't be had, so that nobody can say whether its
// tokens are valid.
type KeysError struct {
	Issuer string
	// Wait is after how long they are asked for again.
	Wait  time.Duration
	cause error
}

func (e *KeysError) Error() string {
	text := "the keys of " + e.Issuer + " can't be had"
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

func (e *KeysError) Unwrap() error { return e.cause }
