// Command corpus lets tests in other languages be held to this protocol package: it
// makes documents, and it says what the package makes of documents that others made.
//
//	corpus generate COUNT SEED    writes documents to standard output
//	corpus found FOLDER...        writes those that fuzzing found, which are in the folders
//	corpus judge                  reads documents, and writes a verdict for each
//
// Both are JSON, one value a line.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// document is one line for each document.
type document struct {
	Kind protocol.Kind `json:"kind"`
	// Bytes may be anything, JSON or not; encoding/json writes them in base64.
	Bytes []byte `json:"bytes"`
}

// verdict is one line for each document that was judged.
type verdict struct {
	// Code is empty where the document is valid.
	Code       protocol.Code        `json:"code"`
	Violations []protocol.Violation `json:"violations"`
	// Canonical is the canonical form of what is strict JSON.
	Canonical string `json:"canonical"`
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	if len(args) == 3 && args[0] == "generate" {
		count, errCount := strconv.Atoi(args[1])
		seed, errSeed := strconv.Atoi(args[2])
		if err := errors.Join(errCount, errSeed); err != nil {
			return err
		}
		for i := range count {
			if err := encoder.Encode(generate(seed + i)); err != nil {
				return err
			}
		}
		return buffered.Flush()
	}
	if len(args) > 1 && args[0] == "found" {
		documents, err := found(args[1:])
		if err != nil {
			return err
		}
		for _, d := range documents {
			if err := encoder.Encode(d); err != nil {
				return err
			}
		}
		return buffered.Flush()
	}
	if len(args) != 1 || args[0] != "judge" {
		return errors.New("usage: corpus generate COUNT SEED | corpus found FOLDER... | corpus judge")
	}
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		return err
	}
	for decoder := json.NewDecoder(in); ; {
		var d document
		if err := decoder.Decode(&d); err == io.EOF {
			return buffered.Flush()
		} else if err != nil {
			return err
		}
		v, err := judge(validator, d)
		if err != nil {
			return err
		}
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
}

// judge says of a document what the registry says when it is published or, for the
// other kinds, validated.
func judge(validator *protocol.Validator, d document) (verdict, error) {
	canonical, err := protocol.Canonicalize(d.Bytes, protocol.Limits{})
	if _, ok := errors.AsType[*protocol.SyntaxError](err); ok {
		return verdict{Code: "INVALID_JSON"}, nil
	}
	if err != nil {
		return verdict{}, err
	}
	v := verdict{Canonical: string(canonical)}
	if d.Kind == protocol.KindDescriptor {
		_, err = validator.Parse(d.Bytes)
		if _, ok := errors.AsType[*protocol.IncompatibleError](err); ok {
			v.Code = protocol.CodeVersionIncompatible
			return v, nil
		}
		if invalid, ok := errors.AsType[*protocol.ValidationError](err); ok {
			v.Code, v.Violations = protocol.CodeValidation, invalid.Violations
			return v, nil
		}
		return v, err
	}
	report, err := validator.Check(d.Kind, d.Bytes)
	if err != nil {
		return verdict{}, err
	}
	if len(report.Violations) > 0 {
		v.Code, v.Violations = protocol.CodeValidation, report.Violations
	}
	return v, nil
}
