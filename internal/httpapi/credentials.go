package httpapi

import (
	"net/http"
	"strings"

	"github.com/skillregistry/skillregistry/internal/oidc"
)

// The headers that carry a key.
const (
	headerAuthorization = "Authorization"
	headerAPIKey        = "X-Api-Key"
)

// credentialsError says that a request has no key where one is needed, or one that is
// not valid.
type credentialsError struct {
	// given reports whether there were credentials at all.
	given bool
}

func (e *credentialsError) Error() string {
	if e.given {
		return "the credentials are not valid"
	}
	return "there are no credentials"
}

// hasCredentials reports whether the request comes with credentials of any kind, valid
// or not.
func hasCredentials(header http.Header) bool {
	return len(header[headerAuthorization]) > 0 || len(header[headerAPIKey]) > 0
}

// token returns the key or token of a request, and "" where the request brings no credentials.
// Credentials that can't be read are a *credentialsError: another scheme than Bearer,
// an empty key, several headers that do not say the same.
func token(header http.Header) (string, error) {
	found := ""
	for _, value := range header[headerAuthorization] {
		scheme, key, _ := strings.Cut(value, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return "", &credentialsError{given: true}
		}
		if key = strings.Trim(key, " \t"); key == "" || found != "" && key != found {
			return "", &credentialsError{given: true}
		}
		found = key
	}
	for _, value := range header[headerAPIKey] {
		key := strings.Trim(value, " \t")
		if key == "" || found != "" && key != found {
			return "", &credentialsError{given: true}
		}
		found = key
	}
	return found, nil
}

// isIssued reports whether credentials may be a token of an issuer: a key may have the
// form of one, and a header for keys carries nothing else.
func (s *server) isIssued(header http.Header, credentials string) bool {
	return s.Tokens != nil && len(header[headerAPIKey]) == 0 && oidc.IsToken(credentials)
}
