// Package compiler runs iree-compile.
//
// The compiler's only inputs are the text, on standard input, and
// the flags: the program contains no source path, the environment
// has only PATH and a private TMPDIR, and the output is moved
// into place when it is complete.
//
// # Errors
//
// IREE_FLAGS for flags that would give a wrong or machine-dependent program,
// and for those that the compiler rejects, IREE_CPU for an unknown
// processor or feature, for which the compiler only prints a warning,
// IREE_COMPILE_FAILED with the compiler's first diagnostic at its line of
// the text, IREE_COMPILE_CRASHED if the compiler was killed by a signal, which
// an unknown target name causes, IREE_NO_COMPILER from Find. For Options.Target and Level also those of package
// target.
//
// # Determinism
//
// The same text, flags and compiler give the same bytes, in any folder.
package compiler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/paramfile"
)

// Codes of this package.
const (
	CodeFlags   errs.Code = "IREE_FLAGS"           // smallest input: the flag "x"
	CodeCPU     errs.Code = "IREE_CPU"             // smallest input: --iree-llvmcpu-target-cpu=none
	CodeFailed  errs.Code = "IREE_COMPILE_FAILED"  // smallest input: a text that uses a name it does not declare
	CodeCrashed errs.Code = "IREE_COMPILE_CRASHED" // smallest input: --iree-vulkan-target=none
)

// Options configures Compile.
type Options struct {
	Compiler string   // path of iree-compile
	Linker   string   // path of iree-lld; programs for CPUs and HIP need it
	Target   string   // row of the table of targets (package target), whose flags are used; "" for none
	Level    string   // optimisation level of Target; "" for the default one
	Flags    []string // flags that replace those of Target with the same names, or a complete set without Target
	Stage    []string // flags for another output of the same compilation, set by the program and not by its user: not checked
	Text     []byte   // StableHLO text
	TextName string   // how messages name the text
	Row      string   // the name of the target for messages; Target by default
	Out      string   // path of the .vmfb
	Library  string   // path of the object file of flags with --iree-llvmcpu-link-static; "" for others
	Header   string   // path of its header
}

// linkName is the linker's name in the compiler's own folder.
const linkName = "iree-lld"

// wasmLink is prepended to the linker for WebAssembly: without its last word a
// module contains the name of the compiler's temporary file, which varies.
const (
	wasmLinkName = "wasm-ld"
	wasmLink     = "#!/bin/sh\nexec \"%s\" \"$@\" --strip-all\n"
)

// environment returns the compiler's complete environment.
var environment = []string{"PATH=/usr/bin:/bin", "TMPDIR=.", "LC_ALL=C"}

// waitDelay is how long a stopped compiler may take to exit.
const waitDelay = 5 * time.Second

// maxOutput bounds how much of the compiler's output is kept: a failed
// compilation prints megabytes of intermediate text after the relevant diagnostic.
const maxOutput = 1 << 20

// maxFlags is the maximum size of flags passed directly. The smallest limit on
// arguments is 128 KiB in total, on Linux for one.
const maxFlags = 32 << 10

// flagFile holds more flags than that, in the compiler's folder.
const flagFile = "flags.rsp"

// short moves long flags into a response file.
func short(flags []string, folder string) ([]string, error) {
	total := 0
	for _, f := range flags {
		total += len(f) + 1
	}
	if total <= maxFlags {
		return flags, nil
	}
	if err := atomicfile.WriteFile(filepath.Join(folder, flagFile), paramfile.Response(flags)); err != nil {
		return nil, err
	}
	return []string{"@" + flagFile}, nil
}

// Compile writes the program to o.Out and returns the compiler's warnings. If
// it fails, it leaves no output, and an existing one is unchanged.
func Compile(ctx context.Context, o Options) (warnings []string, err error) {
	if err := o.take(); err != nil {
		return nil, err
	}
	if err := checkFlags(o.Flags); err != nil {
		return nil, err
	}
	compiler, err := filepath.Abs(o.Compiler)
	if err != nil {
		return nil, errs.Wrap(CodeFailed, err, "the compiler's path").In(o.Compiler)
	}
	tmp, remove, err := atomicfile.Folder("skainet-compile-")
	if err != nil {
		return nil, errs.Wrap(CodeFailed, err, "cannot create a temporary folder").Hint("set TMPDIR to a folder with free space")
	}
	defer remove()
	program := filepath.Join(tmp, "out.vmfb")
	flags, err := short(append(slices.Clone(o.Flags), o.Stage...), tmp)
	if err != nil {
		return nil, err
	}
	argv := append([]string{"-", "-o", program}, flags...)
	if o.Linker != "" {
		linker, err := filepath.Abs(o.Linker)
		if err != nil {
			return nil, errs.Wrap(CodeFailed, err, "the linker's path").In(o.Linker)
		}
		// The compiler passes paths to a shell unquoted: the linker's, and those
		// of its own files in TMPDIR. Both are relative to its folder, so that
		// a space in a folder's name does no harm.
		if os.Symlink(linker, filepath.Join(tmp, linkName)) == nil {
			linker = "." + string(filepath.Separator) + linkName
		}
		argv = append(argv, "--iree-llvmcpu-embedded-linker-path="+linker)
		if isWasm(o.Flags) {
			path := filepath.Join(tmp, wasmLinkName)
			if err := atomicfile.WriteFile(path, fmt.Appendf(nil, wasmLink, linker)); err != nil {
				return nil, err
			}
			if err := os.Chmod(path, 0o700); err != nil {
				return nil, errs.Wrap(CodeFailed, err, "the linker for WebAssembly").In(path)
			}
			argv = append(argv, "--iree-llvmcpu-wasm-linker-path=./"+wasmLinkName)
		}
	}
	object, header := filepath.Join(tmp, "library.o"), filepath.Join(tmp, "library.h")
	if o.Library != "" {
		// Relative, since the path could be in an output, unlike the header's name.
		argv = append(argv, "--iree-llvmcpu-static-library-output-path=library.o")
	}
	cmd := exec.CommandContext(ctx, compiler, argv...)
	cmd.Stdin = bytes.NewReader(o.Text)
	messages := &head{room: maxOutput}
	cmd.Stderr, cmd.Stdout = messages, messages
	cmd.Env = environment
	cmd.Dir = tmp
	cmd.WaitDelay = waitDelay
	runErr := cmd.Run()
	if ctx.Err() != nil {
		return nil, errs.Wrap(CodeFailed, ctx.Err(), "the compiler was stopped").In(o.TextName)
	}
	if err := o.unknownCPU(ctx, compiler, tmp, messages.String()); err != nil {
		return nil, err
	}
	if runErr != nil {
		return nil, o.failure(runErr, messages.String(), tmp)
	}
	if strings.Contains(messages.String(), changedTypes) {
		return nil, errs.New(CodeFailed, "the compiler changed the element types of entry points").In(o.TextName).
			Hint("the program would not fit its contract; for f64 pass --iree-input-demote-f64-to-f32=false")
	}
	var files []atomicfile.File
	for _, f := range []struct{ what, made, out string }{
		{"program", program, o.Out}, {"object file", object, o.Library}, {"header", header, o.Header},
	} {
		if f.out == "" {
			continue
		}
		b, err := os.ReadFile(f.made)
		if err != nil {
			return nil, errs.Wrap(CodeFailed, err, "the compiler succeeded but wrote no %s", f.what).In(o.TextName)
		}
		files = append(files, atomicfile.Bytes(f.out, b))
	}
	if err := atomicfile.WriteAll(files...); err != nil {
		return nil, err
	}
	for _, d := range diagnostics(messages.String()) {
		if d.kind == "warning" {
			warnings = append(warnings, d.at(o.TextName)+": "+d.text)
		}
	}
	return warnings, nil
}

// take prepends the target's flags to the given ones.
func (o *Options) take() error {
	if o.Target == "" {
		if o.Level != "" {
			return errs.New(CodeFlags, "the level %q is given without a target", o.Level).Hint("give a target, or the level's flags")
		}
		return nil
	}
	flags, err := target.Flags(o.Target, o.Level)
	if err != nil {
		return err
	}
	o.Flags = target.WithFlags(flags, o.Flags)
	if o.Row == "" {
		o.Row = o.Target
	}
	return nil
}

// failure returns the coded error of a run with a nonzero status.
func (o *Options) failure(runErr error, messages, tmp string) error {
	var exit *exec.ExitError
	if !errors.As(runErr, &exit) {
		return errs.Wrap(CodeFailed, runErr, "cannot run the compiler").In(o.Compiler).
			Hint("name the iree-compile of version %s", target.Release())
	}
	if err := o.refusedFlag(messages); err != nil {
		return err
	}
	place, text := summary(messages, o.TextName)
	text = strings.ReplaceAll(text, tmp, "$TMPDIR")
	if signal := crashed(exit); signal != "" {
		if text != "" {
			text = ": " + text
		}
		return errs.New(CodeCrashed, "the compiler was killed by %s%s", signal, text).In(place).On(o.target(strings.Join(targetFlags(o.Flags), " "))).
			Hint("an unknown target name causes this; check the target flag")
	}
	return errs.New(CodeFailed, "%s (exit status %d)", text, exit.ExitCode()).In(place).
		Hint("if the text was exported by this program, the line shows the operation to report")
}

func crashed(exit *exec.ExitError) string {
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return "the signal " + ws.Signal().String()
	}
	// A wrapper script passes a signal on as 128 + its number.
	if n := exit.ExitCode() - 128; n > 0 && n < 65 {
		return "the signal " + syscall.Signal(n).String()
	}
	return ""
}

// head keeps the first bytes written to it and drops the rest.
type head struct {
	b    bytes.Buffer
	room int
}

func (h *head) Write(p []byte) (int, error) {
	h.b.Write(p[:min(len(p), h.room-h.b.Len())])
	return len(p), nil
}

func (h *head) String() string { return h.b.String() }
