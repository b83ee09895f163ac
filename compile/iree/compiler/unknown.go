package compiler

import (
	"bytes"
	"context"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/skainet-dev/skainet-go/errs"
)

const (
	cpuFlag      = "--iree-llvmcpu-target-cpu"
	featuresFlag = "--iree-llvmcpu-target-cpu-features"
)

// unknownName matches LLVM's warning about an unknown processor or feature. LLVM
// continues without it, and the program is slower than requested, or needs other
// instructions.
var unknownName = regexp.MustCompile(`(?m)^'(.*)' is not a recognized (processor|feature) for this target`)

// unknownCPU returns the coded error for an unknown processor or feature, or nil.
func (o *Options) unknownCPU(ctx context.Context, compiler, dir, messages string) error {
	m := unknownName.FindStringSubmatch(unquoted(messages))
	if m == nil {
		return nil
	}
	what, flag, name := "processor", cpuFlag, m[1]
	if m[2] == "feature" {
		what, flag = "feature", featuresFlag
	}
	sign := name[:len(name)-len(strings.TrimLeft(name, "+-"))]
	names := near(strings.TrimLeft(name, "+-"), o.known(ctx, compiler, dir, what))
	for i := range names {
		names[i] = sign + names[i]
	}
	err := errs.New(CodeCPU, "the compiler knows no %s %q for this target, and would compile without it", what, clip(name)).
		In(o.TextName).On(o.target(flag + "=" + clip(value(o.Flags, flag))))
	if len(names) > 0 {
		return err.Hint("use %s, or one of those that iree-compile prints with the target's flags and %s=help", strings.Join(names, ", "), cpuFlag)
	}
	return err.Hint("iree-compile prints those that it knows with the target's flags and %s=help", cpuFlag)
}

// known asks the compiler for the processors or features of the target; it returns none
// if the compiler does not list them.
func (o *Options) known(ctx context.Context, compiler, dir, what string) []string {
	argv := []string{"-", "-o", "help.vmfb", cpuFlag + "=help"}
	for _, f := range o.Flags {
		if name, _, _ := strings.Cut(f, "="); name != cpuFlag && name != featuresFlag {
			argv = append(argv, f)
		}
	}
	cmd := exec.CommandContext(ctx, compiler, argv...)
	out := &head{room: maxOutput}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(o.Text), out, out
	cmd.Env, cmd.Dir = environment, dir
	cmd.WaitDelay = waitDelay
	_ = cmd.Run() // some targets end with an error after the list
	return listed(out.String(), what)
}

// listed parses the names under "Available CPUs for this target:", or the same for
// features: lines such as "  cortex-a76 - Select the cortex-a76 processor.".
func listed(output, what string) []string {
	title := map[string]string{"processor": "Available CPUs for", "feature": "Available features for"}[what]
	var names []string
	in := false
	for line := range strings.Lines(output) {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "Available "):
			if in {
				return names // the list is printed several times
			}
			in = strings.HasPrefix(line, title)
		case in && strings.HasPrefix(line, "  ") && len(fields) > 1 && fields[1] == "-":
			names = append(names, fields[0])
		}
	}
	return names
}

// near returns at most three names similar to the given one, the most similar first.
func near(name string, known []string) []string {
	const most = 3
	distance := func(k string) int { return levenshtein.ComputeDistance(name, k) }
	var names []string
	for _, k := range known {
		if distance(k) <= max(2, len(name)/3) {
			names = append(names, k)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return distance(a) - distance(b) })
	return names[:min(most, len(names))]
}

// unknownFlag matches how the compiler rejects a flag, or a flag's value.
var (
	unknownFlag = regexp.MustCompile(`(?m)^iree-compile\S*: Unknown command line argument '([^'\n]*)'`)
	meantFlag   = regexp.MustCompile(`(?m)^iree-compile\S*: Did you mean '([^'\n=]*)`)
	wrongValue  = regexp.MustCompile(`(?m)^iree-compile\S*: for the (--[^ \n]*) option: (.*)$`)
)

// refusedFlag returns the coded error for a flag that the compiler rejected, or nil.
func (o *Options) refusedFlag(messages string) error {
	// The compiler parses flags first; later output may quote the text.
	if at := diagnosticPlace.FindStringIndex(messages); at != nil {
		messages = messages[:at[0]]
	}
	const where = "remove it from the flags of the iree_vmfb or skainet_model, of the iree_target, or of the command line"
	if m := unknownFlag.FindStringSubmatch(messages); m != nil {
		name, _, _ := strings.Cut(m[1], "=")
		err := errs.New(CodeFlags, "this version of the compiler has no flag %s", name).In(o.TextName).On(o.target(m[1]))
		if meant := meantFlag.FindStringSubmatch(messages); meant != nil && len(near(name, meant[1:])) > 0 {
			return err.Hint("write %s, or %s", meant[1], where)
		}
		return err.Hint("%s; iree-compile --help lists those that there are", where)
	}
	if m := wrongValue.FindStringSubmatch(messages); m != nil {
		flag := m[1]
		if v := value(o.Flags, flag); v != "" {
			flag += "=" + v
		}
		return errs.New(CodeFlags, "the compiler rejects it: %s", clip(m[2])).In(o.TextName).On(o.target(flag)).
			Hint("use another value, or %s", where)
	}
	return nil
}

// target prefixes a flag with the row of the targets' table, if it is known.
func (o *Options) target(flag string) string {
	if o.Row == "" {
		return flag
	}
	return "target " + o.Row + ": " + flag
}

// value returns the last value of a flag, or "".
func value(flags []string, flag string) string {
	v := ""
	for _, f := range flags {
		if name, text, _ := strings.Cut(f, "="); name == flag {
			v = text
		}
	}
	return v
}
