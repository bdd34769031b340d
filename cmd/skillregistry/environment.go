package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const variablePrefix = "SKILLREGISTRY_"

// What a flag's annotations say of it.
const (
	// annotationVariable names the environment variable of the same meaning.
	annotationVariable = "variable"
	// annotationSecret marks a value that is never printed.
	annotationSecret = "secret"
	// annotationFileOf marks a flag that names the file with another flag's value.
	annotationFileOf = "file of"
)

// maxSecret is how large a file with a secret is at most.
const maxSecret = 64 << 10

// setting defines a flag and the environment variable of its name: --max-body and
// SKILLREGISTRY_MAX_BODY.
func setting(flags *pflag.FlagSet, name string, v pflag.Value, usage string) *pflag.Flag {
	return settingAs(flags, name, variablePrefix+strings.ToUpper(strings.ReplaceAll(name, "-", "_")), v, usage)
}

// settingAs is setting for a variable of another name.
func settingAs(flags *pflag.FlagSet, name, variable string, v pflag.Value, usage string) *pflag.Flag {
	flag := flags.VarPF(v, name, "", usage+" ["+variable+"]")
	flag.Annotations = map[string][]string{annotationVariable: {variable}}
	return flag
}

// secretAs defines a setting that is never printed, and a second one that names a file
// with it.
func secretAs(flags *pflag.FlagSet, name, variable string, v pflag.Value, usage string) {
	settingAs(flags, name, variable, v, usage).Annotations[annotationSecret] = []string{"true"}
	file := settingAs(flags, name+"-file", variable+"_FILE", textValue(new(string), "file"), "file with the value of --"+name)
	file.Annotations[annotationFileOf] = []string{name}
}

func variableOf(f *pflag.Flag) string {
	if names := f.Annotations[annotationVariable]; len(names) == 1 {
		return names[0]
	}
	return ""
}

// wrongValue is the one form in which a wrong setting is refused: its name, its value
// unless that is a secret, and what is expected.
func wrongValue(f *pflag.Flag, name, value string, err error) error {
	if f.Annotations[annotationSecret] != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%s %.200q: %w", name, withoutUser(value), err)
}

// withoutUser takes off what may be the user and password of an address, however badly
// it is written.
func withoutUser(value string) string {
	at := strings.LastIndexByte(value, '@')
	if at < 0 {
		return value
	}
	scheme, _, ok := strings.Cut(value[:at], "://")
	if !ok {
		return "…" + value[at:]
	}
	return scheme + "://…" + value[at:]
}

// wrongFlag refuses a value that came by flag.
func wrongFlag(f *pflag.Flag, value string, err error) error {
	return wrongValue(f, "--"+f.Name, value, err)
}

// nameOf returns by what a setting was given, for errors that speak of it later: a flag,
// a variable, or one of them that names a file; flag and variable where nothing was given.
func nameOf(flags *pflag.FlagSet, env map[string]string) func(flag string) string {
	return func(name string) string {
		given := []*pflag.Flag{flags.Lookup(name)}
		if file := flags.Lookup(name + "-file"); file != nil {
			given = append(given, file)
		}
		for _, f := range given {
			if f.Changed {
				return "--" + f.Name
			}
		}
		for _, f := range given {
			if variable := variableOf(f); env[variable] != "" {
				return variable
			}
		}
		return fmt.Sprintf("--%s (%s)", name, variableOf(given[0]))
	}
}

// resolve gives every flag that the command line left alone the value of its
// variable, reads the files of secrets, and returns warnings about variables that
// mean nothing.
func resolve(cmd *cobra.Command, env map[string]string) (warnings []string, err error) {
	var files []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		variable := variableOf(f)
		switch {
		case err != nil || variable == "":
		case f.Annotations[annotationFileOf] != nil:
			files = append(files, f)
		case !f.Changed && env[variable] != "":
			if e := f.Value.Set(env[variable]); e != nil {
				err = wrongValue(f, variable, env[variable], e)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := resolveFile(cmd.Flags().Lookup(f.Annotations[annotationFileOf][0]), f, env); err != nil {
			return nil, err
		}
	}
	return unknownVariables(cmd.Root(), env), nil
}

// resolveFile gives a secret the content of its file, if one is named. A flag wins
// over a variable; both of the same kind contradict each other.
func resolveFile(secret, file *pflag.Flag, env map[string]string) error {
	path, name, other := env[variableOf(file)], variableOf(file), variableOf(secret)
	both := path != "" && env[other] != ""
	if secret.Changed || file.Changed {
		path, name, other = file.Value.String(), "--"+file.Name, "--"+secret.Name
		both = secret.Changed && file.Changed
		if !file.Changed {
			return nil
		}
	}
	if both {
		return fmt.Errorf("%s and %s are both set: expected one of them", other, name)
	}
	if path == "" {
		return nil
	}
	content, err := readSecret(path)
	if err != nil {
		return wrongValue(file, name, path, err)
	}
	if err := secret.Value.Set(content); err != nil {
		return wrongValue(secret, name, "", err)
	}
	return nil
}

// readSecret reads a file's content without the line end that editors leave there.
func readSecret(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", expected("a file that can be read: %w", withoutPath(err))
	}
	defer f.Close()
	data, err := readAtMost(f, maxSecret)
	if err != nil {
		return "", expected("a file that can be read: %w", withoutPath(err))
	}
	content := strings.TrimRight(string(data), "\r\n")
	if content == "" {
		return "", expected("a file that is not empty")
	}
	return content, nil
}

// withoutPath takes off the path that package os puts into an error, where it stands
// beside the error anyway.
func withoutPath(err error) error {
	var e *os.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

func environment(environ []string) map[string]string {
	env := make(map[string]string, len(environ))
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env[name] = value
		}
	}
	return env
}

// unknownVariables returns a warning for each variable with our prefix that no verb
// has a setting for, so that a misspelt one is not silent.
func unknownVariables(root *cobra.Command, env map[string]string) []string {
	known := map[string]bool{}
	for _, cmd := range everyCommand(root) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known[variableOf(f)] = true })
	}
	var warnings []string
	for name, value := range env {
		if strings.HasPrefix(name, variablePrefix) && !known[name] && !serviceLink(name, value) {
			warnings = append(warnings, name+" is set, but there is no such setting")
		}
	}
	slices.Sort(warnings)
	return warnings
}

func everyCommand(root *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{root}
	for _, cmd := range root.Commands() {
		all = append(all, everyCommand(cmd)...)
	}
	return all
}

// serviceLink reports whether a variable is one of those that Kubernetes sets in every
// container beside a Service named skillregistry, or skillregistry-something.
func serviceLink(name, value string) bool {
	return strings.HasSuffix(name, "_SERVICE_HOST") ||
		strings.Contains(name, "_SERVICE_PORT") ||
		strings.Contains(name, "_PORT_") && (strings.Contains(name, "_TCP") || strings.Contains(name, "_UDP")) ||
		strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://")
}
