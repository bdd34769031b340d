// Command bench measures the registry beside what it could be compared with, in one
// run on one machine, and prints what it found as Markdown. docs/performance.md says how
// to read it.
//
// The contenders are processes of their own on loopback: the registry's real binary on
// SQLite and on PostgreSQL, a bare net/http handler that writes the same bytes, nginx that
// serves them as static files, and the obvious design, which asks the database and
// encodes for each request. wrk is the client. Every load is bounded in time or in
// count.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "bare":
			return serveBare(ctx, args[1:])
		case "obvious":
			return serveObvious(ctx, args[1:])
		}
	}
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "skillregistry-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	b := &bench{options: o, folder: folder, out: os.Stdout}
	return b.run(ctx)
}

// options say what is measured.
type options struct {
	registry string // the registry's binary
	postgres string // the URL of a PostgreSQL superuser
	sizes    []int  // how many skills
	rounds   int
	turn     time.Duration // whole seconds
	parts    map[string]bool
	// Of the reads: which are measured, on how many connections, and beside whom.
	workloads, contenders map[string]bool
	connections           []int
}

func parseOptions(args []string) (options, error) {
	var o options
	var sizes, parts, connections, workloads, contenders string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.registry, "registry", "bin/skillregistry", "the registry's binary")
	flags.StringVar(&o.postgres, "postgres", os.Getenv("SKILLREGISTRY_TEST_POSTGRES_URL"), "URL of a PostgreSQL superuser")
	flags.StringVar(&sizes, "sizes", "1000,10000,100000", "numbers of skills")
	flags.IntVar(&o.rounds, "rounds", 3, "how often each contender has its turn")
	flags.DurationVar(&o.turn, "turn", time.Second, "how long a turn takes, in whole seconds")
	flags.StringVar(&parts, "parts", "size,reads,publish,mixed,replica,distance,parse", "what is measured")
	flags.StringVar(&connections, "connections", "64,1", "how many connections read")
	flags.StringVar(&workloads, "workloads", "descriptor,page,deep,filtered,packed-page,known,whole,packed", "what is read")
	flags.StringVar(&contenders, "contenders", "sqlite,postgres,bare,nginx,obvious", "who answers reads")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	var err error
	if o.sizes, err = numbers("size", sizes, 200, 5_000_000); err != nil {
		return options{}, err
	}
	if o.connections, err = numbers("number of connections", connections, 1, 1000); err != nil {
		return options{}, err
	}
	o.parts, o.workloads, o.contenders = set(parts), set(workloads), set(contenders)
	switch {
	case len(o.sizes) == 0:
		return options{}, fmt.Errorf("no sizes")
	case !o.contenders["sqlite"] || !o.contenders["bare"]:
		return options{}, fmt.Errorf("sqlite and bare have to be among the contenders: the others are compared with them")
	case o.postgres == "":
		return options{}, fmt.Errorf("no PostgreSQL: run make bench")
	case o.rounds < 1 || o.rounds > 99:
		return options{}, fmt.Errorf("%d rounds: want 1 to 99", o.rounds)
	case o.turn < time.Second || o.turn > time.Minute || o.turn%time.Second != 0:
		return options{}, fmt.Errorf("a turn of %s: want whole seconds, 60 at most", o.turn)
	}
	return o, nil
}

// numbers reads a list of numbers that lie within bounds.
func numbers(what, list string, least, most int) ([]int, error) {
	var all []int
	for text := range strings.FieldsFuncSeq(list, separates) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return nil, fmt.Errorf("a %s of %q: want %d to %d", what, text, least, most)
		}
		all = append(all, n)
	}
	return all, nil
}

func set(list string) map[string]bool {
	all := make(map[string]bool)
	for name := range strings.FieldsFuncSeq(list, separates) {
		all[name] = true
	}
	return all
}

func separates(r rune) bool { return r == ',' || r == ' ' }
