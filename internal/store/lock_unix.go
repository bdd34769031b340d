//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the lock that keeps other processes away from a database file. The
// kernel lets go of it when the process ends, however it does; the file stays.
func lockFile(name string) (unlock func() error, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = fmt.Errorf("another process is using it (it holds %s)", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		// Closing alone would leave the lock with a child that is being forked, until it
		// runs its program.
		return errors.Join(unix.Flock(int(f.Fd()), unix.LOCK_UN), f.Close())
	}, nil
}
