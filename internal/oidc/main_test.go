package oidc_test

import (
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestMain(m *testing.M) { protocoltest.Main(m) }
