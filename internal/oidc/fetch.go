package oidc

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What an issuer may take of time and memory.
const (
	fetchTimeout = 5 * time.Second // for both documents together
	maxDocument  = 256 << 10
	maxKeys      = 100
	minRSABits   = 2048
)

// asker asks issuers, and whom they send it to for their keys: nobody else.
type asker struct{ client *http.Client }

func newAsker() asker {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	transport.MaxResponseHeaderBytes = 64 << 10
	return asker{&http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("it redirects, which is not followed") },
	}}
}

// keys asks an issuer for the keys that its tokens are signed with.
func (a asker) keys(ctx context.Context, issuer string) ([]jose.JSONWebKey, error) {
	var discovery struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := a.fetch(ctx, strings.TrimSuffix(issuer, "/")+"/.well-known/openid-configuration", &discovery); err != nil {
		return nil, err
	}
	if discovery.Issuer != issuer {
		return nil, fmt.Errorf("its discovery document is of the issuer %.100q", discovery.Issuer)
	}
	if !maySend(issuer, discovery.Keys) {
		return nil, fmt.Errorf("its keys are at %.100q, which is no address with https", discovery.Keys)
	}
	var set struct {
		Keys []jsontext.Value `json:"keys"`
	}
	if err := a.fetch(ctx, discovery.Keys, &set); err != nil {
		return nil, err
	}
	if len(set.Keys) > maxKeys {
		return nil, fmt.Errorf("it has %d keys, and %d are the most", len(set.Keys), maxKeys)
	}
	var keys []jose.JSONWebKey
	for _, data := range set.Keys {
		var key jose.JSONWebKey
		// Kinds of keys that nobody knows yet stand beside those that are used.
		if key.UnmarshalJSON(data) == nil && signs(key) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("it has no keys that tokens could be signed with")
	}
	return keys, nil
}

// maySend reports whether an issuer may have its keys asked for at an address: with https,
// or on this machine, where it is itself.
func maySend(issuer, keys string) bool {
	to, err := address(keys)
	return err == nil && (to.Scheme == "https" || strings.HasPrefix(issuer, "http://"))
}

// signs reports whether a key is a public one that tokens may be signed with.
func signs(key jose.JSONWebKey) bool {
	if rsaKey, ok := key.Key.(*rsa.PublicKey); ok && rsaKey.N.BitLen() < minRSABits {
		return false
	}
	return key.IsPublic() && key.Valid() && (key.Use == "" || key.Use == "sig")
}

func (a asker) fetch(ctx context.Context, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	answer, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers with the status %d", address, answer.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	if err != nil {
		return err
	}
	if len(data) > maxDocument {
		return fmt.Errorf("%s answers with more than %d bytes", address, maxDocument)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s does not answer as expected: %w", address, err)
	}
	return nil
}
