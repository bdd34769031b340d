package main

import (
	"fmt"
	"os"

	"github.com/skillregistry/skillregistry/internal/oidc"
)

// openTokens reads the file of --oidc-config; nil is without one. It asks no issuer for
// anything: the registry starts without them.
func (s *server) openTokens() (*oidc.Verifier, error) {
	path := s.config.oidcConfig
	if path == "" {
		return nil, nil
	}
	wrong := func(err error) error {
		return &exitError{status: statusUsage, err: fmt.Errorf("%s %q: %w", s.nameOf("oidc-config"), path, err)}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, wrong(withoutPath(err))
	}
	c, err := oidc.ParseConfig(data)
	if err != nil {
		return nil, wrong(err)
	}
	return oidc.NewVerifier(c, s.log, s.program.now), nil
}
