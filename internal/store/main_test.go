package store_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
)

// publishVariable makes the test binary a second process, which opens the database that
// the variable names, says so, and publishes and says what it has until it is killed.
const publishVariable = "SKILLREGISTRY_STORE_TEST_PUBLISH"

func TestMain(m *testing.M) {
	if url := os.Getenv(publishVariable); url != "" {
		fmt.Println(publishUntilKilled(context.Background(), url))
		os.Exit(1)
	}
	protocoltest.Main(m)
}

func publishUntilKilled(ctx context.Context, url string) error {
	s, err := store.Open(ctx, store.Options{URL: url})
	if err != nil {
		return err
	}
	if _, err := s.Migrate(ctx, nil); err != nil {
		return err
	}
	fmt.Println("open")
	failed := make(chan error)
	for i := range 4 {
		go func() {
			for n := 0; ; n++ {
				id := fmt.Sprintf("com.example.p%d-%d-%d", os.Getpid(), i, n)
				if _, err := s.Publish(ctx, publication(id, "1.0.0", protocol.Public, "")); err != nil {
					failed <- err
				}
				fmt.Println(id + " 1.0.0")
			}
		}()
	}
	return <-failed
}
