package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/spf13/cobra"
)

func (p *program) keysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make, list and revoke keys",
		Long: `keys looks after the keys of a registry. Each of its verbs needs an admin key: the
one that the first start printed, or the one that the registry is configured with.`,
		Example: `  skillregistry keys create --name ci --scope publish --namespace com.example
  skillregistry keys list
  skillregistry keys revoke KEY-ID`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%s has no verb %q: expected create, list or revoke", cmd.CommandPath(), args[0])
			}
			return fmt.Errorf("%s needs a verb: create, list or revoke", cmd.CommandPath())
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(p.keysCreateCommand(), p.keysListCommand(), p.keysRevokeCommand())
	return cmd
}

const keysCreateHelp = `create makes a key and prints it alone on standard output, this once: the registry
keeps no copy that could be shown again.

A key reads, publishes or administers. read sees the private skills of its namespaces,
publish also publishes there, admin does everything. A namespace is an id prefix at a
dot: com.example covers com.example and com.example.*; * covers every id.

Exit status: 0 done, 1 refused, 2 the command line or a setting is wrong, 3 the
registry could not be reached.`

// keysCreate is the verb with its flags.
type keysCreate struct {
	remote
	p          *program
	name       string
	scopes     []string
	namespaces []string
	expires    string
	asJSON     bool
}

func (p *program) keysCreateCommand() *cobra.Command {
	v := keysCreate{p: p}
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Make a key, and print it this once",
		Long:  keysCreateHelp,
		Example: `  skillregistry keys create --name ci --scope publish --namespace com.example --expires 90d
  CI_KEY=$(skillregistry keys create --name ci --scope publish --namespace com.example)`,
		Args: between(0, 0, "no arguments"),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().StringVar(&v.name, "name", "", "what the key is for, 1 to 100 characters (required)")
	cmd.Flags().Var(choicesValue(&v.scopes, "scopes", scopeNames()...), "scope", "read, publish or admin; several by commas (required)")
	cmd.Flags().Var(listValue(&v.namespaces, "prefixes", func(string) error { return nil }), "namespace", "id prefix such as com.example, or *; several by commas")
	cmd.Flags().StringVar(&v.expires, "expires", "", "when the key stops working: a time such as 2030-01-31T00:00:00Z, or from now, such as 90d or 12h; default never")
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object, with the key in it")
	completeWith(cmd, "scope", scopeNames())
	return cmd
}

func scopeNames() []string {
	var names []string
	for _, s := range access.Scopes() {
		names = append(names, string(s))
	}
	return names
}

func (v *keysCreate) run(ctx context.Context, _ []string) error {
	if v.name == "" || len(v.scopes) == 0 {
		return usageError("skillregistry keys create needs --name and --scope")
	}
	expires, err := parseExpiry(v.expires, v.p.now())
	if err != nil {
		return &exitError{status: statusUsage, err: fmt.Errorf("--expires %q: %w", v.expires, err)}
	}
	c, err := v.client()
	if err != nil {
		return err
	}
	key, err := c.CreateKey(ctx, client.KeyRequest{Name: v.name, Scopes: v.scopes, Namespaces: v.namespaces, ExpiresAt: expires})
	if err != nil {
		return remoteError(err)
	}
	if v.asJSON {
		return json.NewEncoder(v.p.stdout).Encode(key)
	}
	if _, err := fmt.Fprintln(v.p.stdout, key.Secret); err != nil {
		return err
	}
	fmt.Fprintf(v.p.stderr, "Key %s (%s) in %s, %s. It is shown this once.\n", printable(key.ID),
		strings.Join(key.Scopes, ", "), cmp.Or(strings.Join(key.Namespaces, ", "), "no namespace"), expiry(key.ExpiresAt))
	return nil
}

// parseExpiry reads a time, or a duration from now; empty is never.
func parseExpiry(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil && n > 0 {
			return now.AddDate(0, 0, int(n)), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return now.Add(d), nil
	}
	return time.Time{}, expected("a time such as 2030-01-31T00:00:00Z, or a duration from now such as 90d or 12h")
}

func expiry(t time.Time) string {
	if t.IsZero() {
		return "without an end"
	}
	return "until " + t.UTC().Format(time.RFC3339)
}

// keysList is the verb with its flags.
type keysList struct {
	remote
	p      *program
	asJSON bool
}

func (p *program) keysListCommand() *cobra.Command {
	v := keysList{p: p}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the keys",
		Long: `list prints every key, never a secret; those that were revoked or have expired
included.

Exit status: 0 done, 1 refused, 2 the command line or a setting is wrong, 3 the
registry could not be reached.`,
		Example: `  skillregistry keys list
  skillregistry keys list --json`,
		Args: between(0, 0, "no arguments"),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object a key")
	return cmd
}

func (v *keysList) run(ctx context.Context, _ []string) error {
	c, err := v.client()
	if err != nil {
		return err
	}
	keys, err := c.ListKeys(ctx)
	if err != nil {
		return remoteError(err)
	}
	if v.asJSON {
		return writeLines(v.p.stdout, keys)
	}
	t := newTable(v.p.stdout, "ID", "NAME", "SCOPES", "NAMESPACES", "CREATED", "LAST USED", "STATE")
	for _, k := range keys {
		t.row(k.ID, k.Name, strings.Join(k.Scopes, ","), strings.Join(k.Namespaces, ","),
			k.CreatedAt.UTC().Format(time.RFC3339), lastUse(k), keyState(k, v.p.now()))
	}
	return t.flush()
}

func lastUse(k client.Key) string {
	if k.LastUsedAt.IsZero() {
		return "never"
	}
	return k.LastUsedAt.UTC().Format(time.RFC3339)
}

func keyState(k client.Key, now time.Time) string {
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked " + k.RevokedAt.UTC().Format(time.RFC3339)
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return "expired " + k.ExpiresAt.UTC().Format(time.RFC3339)
	case !k.ExpiresAt.IsZero():
		return "valid until " + k.ExpiresAt.UTC().Format(time.RFC3339)
	}
	return "valid"
}

// keysRevoke is the verb with its flags.
type keysRevoke struct {
	remote
	p *program
}

func (p *program) keysRevokeCommand() *cobra.Command {
	v := keysRevoke{p: p}
	cmd := &cobra.Command{
		Use:   "revoke ID…",
		Short: "Revoke keys",
		Long: `revoke makes keys invalid, everywhere by the time it is done. It takes the ids that
"keys list" prints, not the keys themselves.

Exit status: 0 done, 1 refused, 2 the command line or a setting is wrong, 3 the
registry could not be reached.`,
		Example: `  skillregistry keys revoke KEY-ID`,
		Args:    atLeast(1, "the ID of a key"),
		RunE:    p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	return cmd
}

func (v *keysRevoke) run(ctx context.Context, ids []string) error {
	c, err := v.client()
	if err != nil {
		return err
	}
	for _, id := range ids {
		// A key in the place of its id would come to stand in logs of proxies.
		if _, _, isKey := access.SplitToken(id); isKey {
			return usageError("revoke takes the id of a key, not the key itself")
		}
	}
	for _, id := range ids {
		if err := c.RevokeKey(ctx, id); err != nil {
			return remoteError(err)
		}
		fmt.Fprintf(v.p.stdout, "%s: revoked\n", printable(id))
	}
	return nil
}
