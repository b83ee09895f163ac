package compiler

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeNone is the code of a machine without a compiler.
const CodeNone errs.Code = "IREE_NO_COMPILER" // smallest input: run MODEL --backend=iree where nothing is installed

// Variable names the environment variable that Find looks at.
const Variable = "SKAINET_IREE_COMPILE"

// compileName is the name of the compiler.
const compileName = "iree-compile"

// Find looks for iree-compile: the file that SKAINET_IREE_COMPILE names, then next to this
// program, then on the path.
func Find() (string, error) {
	if path := os.Getenv(Variable); path != "" {
		return filepath.Abs(path)
	}
	if own, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(own), compileName)
		if st, err := os.Stat(beside); err == nil && st.Mode().IsRegular() {
			return beside, nil
		}
	}
	if path, err := exec.LookPath(compileName); err == nil {
		return filepath.Abs(path)
	}
	return "", errs.New(CodeNone, "%s was not found, and a program has to be compiled", compileName).
		Hint("install it (pip install iree-base-compiler==%s), name it with --compiler or %s, or run without it: --backend=cpu", target.IREEVersion(), Variable)
}

var versionLine = regexp.MustCompile(`(?m)^\s*IREE compiler version (\S+.*?)\s*$`)

// Version returns the version that a compiler tells, such as
// "3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967".
func Version(ctx context.Context, compiler string) (string, error) {
	path, err := filepath.Abs(compiler) // a bare name is not searched on the path
	if err != nil {
		return "", errs.Wrap(CodeFailed, err, "the compiler's path").In(compiler)
	}
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env, cmd.WaitDelay = environment, waitDelay
	out := &head{room: maxOutput}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return "", errs.Wrap(CodeFailed, err, "cannot run the compiler").In(compiler).Hint("name the iree-compile of version %s", target.Release())
	}
	m := versionLine.FindSubmatch(bytes.TrimSpace(out.b.Bytes()))
	if m == nil {
		return "", errs.New(CodeFailed, "the compiler does not tell its version with --version").In(compiler).Hint("name the iree-compile of version %s", target.Release())
	}
	return string(m[1]), nil
}
