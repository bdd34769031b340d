package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/spf13/cobra"
)

const diffHelp = `diff shows what differs between two versions of a skill, what of it breaks those who
call by the older one, and which part of the version's number has to be raised for it.

Each is a file, the folder of a skill with a descriptor.json, standard input where the
name is "-", or ID@VERSION or ID, the latest, of a registry. With one of them, the other
is the version that a registry would compare it with: the highest one before it that
is not yanked and whose callers its number promises not to break; where there is none,
the highest one before it.

Each difference is a line with the JSON Pointer to it, in the newer descriptor where it
is there. With --json, standard output has one JSON object: id, older, newer, asks
(MAJOR, MINOR, PATCH or NONE), next (the lowest version that may have these
differences), refused (whether a registry that refuses what breaks callers would) and
differences with field, breaks, was and is.

Exit status: 0 a registry would take the newer version, 1 it breaks callers that its
number promises not to break, or a document is not valid, 2 the command line or a
setting is wrong or a file is missing, 3 the registry could not be reached.`

// diff is the verb with its flags.
type diff struct {
	remote
	p         *program
	validator *protocol.Validator
	asJSON    bool
}

func (p *program) diffCommand() *cobra.Command {
	v := diff{p: p}
	cmd := &cobra.Command{
		Use:   "diff [OLDER] NEWER",
		Short: "Show what differs between versions, and whom it breaks",
		Long:  diffHelp,
		Example: `  skillregistry diff forecast.json
  skillregistry diff com.example.forecast@1.2.0 forecast.json
  skillregistry diff com.example.forecast@1.2.0 com.example.forecast --json`,
		Args: between(1, 2, "one or two of FILE, ID and ID@VERSION"),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object")
	return cmd
}

func (v *diff) run(ctx context.Context, args []string) error {
	if len(args) == 2 && args[0] == stdinName && args[1] == stdinName {
		return usageError("standard input can't be both versions")
	}
	c, err := v.client()
	if err != nil {
		return err
	}
	if v.validator, err = protocol.NewValidator(lenient()); err != nil {
		return err
	}
	newer, err := v.document(ctx, c, args[len(args)-1])
	if err != nil {
		return err
	}
	var older *protocol.Document
	if len(args) == 2 {
		older, err = v.document(ctx, c, args[0])
	} else {
		older, err = v.before(ctx, c, &newer.Descriptor)
	}
	if err != nil {
		return err
	}
	if older.Descriptor.ID != newer.Descriptor.ID {
		return usageError("%s and %s are not versions of one skill", older.Descriptor.ID, newer.Descriptor.ID)
	}
	return v.show(compared(older, newer))
}

// lenient are the widest limits that a registry may have: what exceeds its own, it says.
func lenient() protocol.Limits { return protocol.Limits{MaxDepth: 256} }

// document returns what an argument names.
func (v *diff) document(ctx context.Context, c *client.Client, name string) (*protocol.Document, error) {
	info, err := os.Stat(name)
	if err != nil && name != stdinName && !strings.ContainsRune(name, filepath.Separator) && !strings.HasSuffix(name, ".json") {
		id, version, versioned := strings.Cut(name, "@")
		if versioned && version == "" {
			return nil, usageError("%s: there is no VERSION behind the @", name)
		}
		return v.published(ctx, c, id, version)
	}
	file := name
	if err == nil && info.IsDir() {
		file = filepath.Join(name, descriptorFile)
	}
	data, err := readDocument(file, v.p.stdin, maxDocument)
	if err != nil {
		return nil, usageError("%s: %w", file, err)
	}
	document, err := v.validator.Parse(data)
	if err != nil {
		refusal(file, err).write(v.p.stdout, v.p.stderr)
		return nil, &exitError{status: statusFailed}
	}
	return document, nil
}

// published returns a version of a registry; an empty version is the latest.
func (v *diff) published(ctx context.Context, c *client.Client, id, version string) (*protocol.Document, error) {
	skill, err := c.Get(ctx, id, version)
	if err != nil {
		return nil, remoteError(err)
	}
	document, err := v.validator.Parse(skill.Raw)
	if err != nil {
		return nil, fmt.Errorf("what the registry has as %s: %w", strings.TrimSuffix(id+"@"+version, "@"), err)
	}
	return document, nil
}

// before returns the version of the registry that a descriptor has to do with.
func (v *diff) before(ctx context.Context, c *client.Client, newer *protocol.Descriptor) (*protocol.Document, error) {
	versions, err := c.Versions(ctx, newer.ID)
	if err != nil {
		return nil, remoteError(err)
	}
	best := ""
	for _, known := range versions { // highest first
		if known.Status == client.Yanked || protocol.CompareVersions(known.Version, newer.Version) >= 0 {
			continue
		}
		if compatibility.Promises(known.Version, newer.Version) {
			best = known.Version
			break
		}
		if best == "" {
			best = known.Version
		}
	}
	if best == "" {
		return nil, fmt.Errorf("%s: the registry has no version before %s", newer.ID, newer.Version)
	}
	return v.published(ctx, c, newer.ID, best)
}

// comparison is what diff shows of two versions; its JSON form is that of --json.
type comparison struct {
	ID    string              `json:"id"`
	Older string              `json:"older"`
	Newer string              `json:"newer"`
	Asks  compatibility.Level `json:"asks"`
	// Next is the lowest version that may have the differences.
	Next string `json:"next"`
	// Refused: the newer version breaks callers that its number promises not to break.
	Refused     bool                       `json:"refused"`
	Differences []compatibility.Difference `json:"differences"`
}

func compared(older, newer *protocol.Document) comparison {
	c := comparison{
		ID: newer.Descriptor.ID, Older: older.Descriptor.Version, Newer: newer.Descriptor.Version,
		Differences: compatibility.Differences(older, newer),
	}
	c.Asks = compatibility.Asks(c.Differences)
	c.Next = compatibility.Next(c.Older, c.Asks)
	c.Refused = c.Asks == compatibility.Major && compatibility.Promises(c.Older, c.Newer)
	return c
}

// show writes a comparison, and returns the error of one that a registry would refuse.
func (v *diff) show(c comparison) error {
	var err error
	if v.asJSON {
		err = json.NewEncoder(v.p.stdout).Encode(c)
	} else {
		err = c.write(v.p)
	}
	if c.Refused {
		return errors.Join(err, &exitError{status: statusFailed})
	}
	return err
}

// write writes the comparison for people.
func (c comparison) write(p *program) error {
	var b strings.Builder
	for _, d := range c.Differences {
		if d.Breaks {
			fmt.Fprintf(&b, "%s: breaks callers: expected %s, got %s\n", printable(d.Field), printable(d.Was), printable(d.Is))
		} else {
			fmt.Fprintf(&b, "%s: %s, was %s\n", printable(d.Field), printable(d.Is), printable(d.Was))
		}
	}
	switch {
	case c.Asks == compatibility.None:
		fmt.Fprintf(&b, "%s: %s and %s do not differ\n", c.ID, c.Older, c.Newer)
	case c.Refused:
		fmt.Fprintf(&b, "%s: %s breaks callers of %s, which it promises not to: the number to publish this by is %s\n", c.ID, c.Newer, c.Older, c.Next)
	default:
		fmt.Fprintf(&b, "%s: from %s to %s, a %s change: %s or higher\n", c.ID, c.Older, c.Newer, c.Asks, c.Next)
	}
	_, err := p.stdout.Write([]byte(b.String()))
	return err
}
