// Command cache_drill proves that a build can come from a cache, run on a remote
// execution engine and do without a network: see package drill.
//
//	./bazelw run //tools/ci:cache_drill
//	./bazelw run //tools/ci:cache_drill -- --drill=http --drill=disk //my/models/...
package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/tools/ci/drill"
)

// Runfiles, set by the BUILD file.
var engineFile, bubblewrapFile, nginxFile, buildgridFile, buildboxFile, postgresqlFile string

// The smallest model with an archive, run by the runtime that is built from its
// source, and a network with weights.
var defaults = []string{
	"//examples/staircase/linear:external_run_test",
	"//examples/staircase/linear:external_parity_cpu_test",
	"//models/whisper:tiny_en_irpa",
	"//models/whisper:tiny_en_vmfb_cpu",
}

var errFaults = errors.New("a drill showed what it must not; see above")

func main() {
	// Not package interrupt, which ends the program after 2 s: servers of Bazel and
	// output bases have to go first.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(command.Run(ctx, newCommand(), os.Args[1:], os.Stdout, os.Stderr))
}

func newCommand() *cobra.Command {
	o := drill.Options{Progress: os.Stderr}
	cmd := &cobra.Command{
		Use:   "cache_drill [TARGET]...",
		Short: "Builds targets from caches, on a remote execution engine and without a network",
		Long: `Builds targets from nothing, then again in another folder with another output base:

  http    from an HTTP cache, which must have every action
  disk    from a disk cache, likewise
  remote  on a remote execution engine that others wrote: BuildGrid with buildbox
  strict  on one of our own, in a sandbox with declared inputs alone
  bytes   for real and here; every file must have the same bytes
  vendor  from "bazel vendor" without a network

The default targets are a small model of the examples with its tests, and Whisper tiny.`,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, targets []string) error {
			if o.Targets = targets; len(targets) == 0 {
				o.Targets = defaults
			}
			if err := find(&o); err != nil {
				return err
			}
			results, err := drill.Run(cmd.Context(), o)
			if !drill.Print(cmd.OutOrStdout(), results, err == nil) && err == nil {
				err = errFaults
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.Drills, "drill", drill.Names, "drills to run, of "+strings.Join(drill.Names, ", ")+"; may be repeated")
	f.StringVar(&o.Work, "work", "", "folder for copies, caches and output bases; by default one in the user's cache. Not below /tmp, which sandboxes hide")
	f.StringArrayVar(&o.Flags, "flag", nil, "flag for every build, such as --bazelrc settings of this host; may be repeated")
	f.StringArrayVar(&o.Show, "show", nil, "folder of the host that actions see in strict; by default the system's programs and libraries")
	f.BoolVar(&o.Twice, "twice", false, "run actions of strict twice, in two places, and compare their outputs")
	return cmd
}

// find fills in unset options.
func find(o *drill.Options) error {
	if o.Workspace = os.Getenv("BUILD_WORKSPACE_DIRECTORY"); o.Workspace == "" {
		return errors.New("run it as ./bazelw run //tools/ci:cache_drill")
	}
	if o.Work == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.Work = filepath.Join(cache, "skainet", "drill")
	}
	if len(o.Show) == 0 {
		for _, folder := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache"} {
			if _, err := os.Lstat(folder); err == nil {
				o.Show = append(o.Show, folder)
			}
		}
	}
	var err error
	if o.Engine, err = runfiles.Rlocation(engineFile); err != nil {
		return err
	}
	o.Bwrap = tool(bubblewrapFile, "bubblewrap/root/usr/bin/bwrap")
	o.Nginx = tool(nginxFile, "nginx/root/usr/sbin/nginx")
	o.BuildGrid.Buildbox = tree(buildboxFile, "buildbox/root")
	o.BuildGrid.Postgres = tree(postgresqlFile, "postgresql/root")
	if python, err := runfiles.Rlocation(buildgridFile); err == nil {
		o.BuildGrid.Python = python
	}
	return nil
}

// tree returns a folder that was unpacked beside a runfile, or "".
func tree(beside, path string) string {
	anchor, err := runfiles.Rlocation(beside)
	if err != nil {
		return ""
	}
	// Links lead to where it was unpacked.
	if anchor, err = filepath.EvalSymlinks(anchor); err != nil {
		return ""
	}
	unpacked := filepath.Join(filepath.Dir(anchor), path)
	if _, err := os.Stat(unpacked); err != nil {
		return ""
	}
	return unpacked
}

// tool returns a program that was unpacked beside a runfile, or the host's, or "".
func tool(beside, path string) string {
	if anchor, err := runfiles.Rlocation(beside); err == nil {
		unpacked := filepath.Join(filepath.Dir(anchor), path)
		if _, err := os.Stat(unpacked); err == nil {
			return unpacked
		}
	}
	found, err := exec.LookPath(filepath.Base(path))
	if err != nil {
		return ""
	}
	return found
}
