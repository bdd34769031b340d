package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/spf13/cobra"
)

func (p *program) healthcheckCommand() *cobra.Command {
	var addr string
	timeout := 2 * time.Second
	cmd := &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask the registry of this machine whether it is ready",
		Long: `healthcheck asks the registry that listens on this machine whether it is ready: its
store answers and its catalog is loaded. It takes the same address as serve, which
makes it the health check of a container that has nothing else in it.

Exit status: 0 it is ready, 1 it is not, 2 the command line or a setting is wrong.`,
		Example: `  skillregistry healthcheck
  skillregistry healthcheck --addr 127.0.0.1:9000 --timeout 500ms`,
		Args: between(0, 0, "no arguments"),
		RunE: p.plain(func(ctx context.Context, _ []string) error {
			url, err := localURL(addr)
			if err != nil {
				return &exitError{status: statusUsage, err: err}
			}
			c, err := client.New(url, client.Options{UserAgent: "skillregistry/" + readBuild().Version})
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			if err := c.Ready(ctx); err != nil {
				return fmt.Errorf("%s is not ready: %w", url, err)
			}
			_, err = fmt.Fprintf(p.stdout, "%s is ready\n", url)
			return err
		}),
	}
	cmd.Flags().SortFlags = false
	defineAddr(cmd.Flags(), &addr)
	cmd.Flags().Var(durationValue(&timeout), "timeout", "how long to wait for the answer")
	return cmd
}

// localURL returns the URL of a listener of this machine. An address that stands for
// all of them is asked on the loopback one.
func localURL(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	if port == "0" {
		return "", fmt.Errorf("SKILLREGISTRY_ADDR %q: expected the port that the registry really listens on", addr)
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "" || err == nil && ip == netip.IPv4Unspecified():
		host = "127.0.0.1"
	case err == nil && ip.IsUnspecified():
		host = "::1"
	}
	return "http://" + net.JoinHostPort(host, port), nil
}
