package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// bench is one run.
type bench struct {
	options
	folder    string
	out       io.Writer
	validator *protocol.Validator
	starter   starter
	emptyHeap int64 // of a registry without skills
}

// say tells how far it is, on standard error.
func (b *bench) say(format string, a ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", a...)
}

func (b *bench) run(ctx context.Context) (err error) {
	begun := time.Now()
	b.starter = starter{folder: b.folder, registry: b.registry}
	if b.validator, err = protocol.NewValidator(protocol.Limits{}); err != nil {
		return err
	}
	if err := checkDescriptors(b.validator); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%s; %d processors; %s; load before: %s\n\n", processor(), runtime.NumCPU(), runtime.Version(), loadAverage())
	if b.emptyHeap, err = b.measureEmpty(ctx); err != nil {
		return err
	}
	if b.parts["parse"] {
		if err := b.measureParse(); err != nil {
			return err
		}
	}
	if b.parts["publish"] {
		if err := b.measurePublish(ctx); err != nil {
			return fmt.Errorf("publishing: %w", err)
		}
	}
	sizes := table{
		title: "What a catalog takes, by its size",
		columns: []string{"skills, store", "seconds from start to ready", "heap a skill, bytes", "of these beyond its descriptor",
			"MB of the process", "publishes a second, 8 connections"},
	}
	for i, skills := range b.sizes {
		if err := b.measureSize(ctx, skills, &sizes, i == len(b.sizes)-1); err != nil {
			return fmt.Errorf("%d skills: %w", skills, err)
		}
	}
	sizes.print(b.out)
	fmt.Fprintf(b.out, "In %s; load after: %s\n", time.Since(begun).Round(time.Second), loadAverage())
	return nil
}

// measureSize does all that is done at one size. At the last one that is also what is
// done once.
func (b *bench) measureSize(ctx context.Context, skills int, sizes *table, last bool) error {
	s, err := b.setUp(ctx, skills)
	defer s.close()
	if err != nil {
		return err
	}
	if b.parts["reads"] {
		if err := s.lineUp(ctx); err != nil {
			return err
		}
		if err := b.measureReads(ctx, s); err != nil {
			return err
		}
	}
	if last && b.parts["mixed"] {
		if err := b.measureMixed(ctx, s); err != nil {
			return err
		}
	}
	if last && b.parts["replica"] {
		if err := b.measureReplica(ctx, s); err != nil {
			return err
		}
	}
	if last && b.parts["distance"] {
		if err := b.measureDistance(ctx, s); err != nil {
			return err
		}
	}
	if b.parts["size"] {
		return b.measureCatalog(ctx, s, sizes)
	}
	return nil
}

func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
