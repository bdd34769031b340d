package store_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
)

// holdVariable makes the test binary a second process, which opens the database that
// the variable names, says so, and keeps it until it is killed.
const holdVariable = "SKILLREGISTRY_STORE_TEST_HOLD"

func TestMain(m *testing.M) {
	if url := os.Getenv(holdVariable); url != "" {
		hold(url)
	}
	protocoltest.Main(m)
}

func hold(url string) {
	s, err := store.Open(context.Background(), store.Options{URL: url})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if _, err := s.Migrate(context.Background(), nil); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	select {}
}
