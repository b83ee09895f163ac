// Command ours is a backend of ours as a contestant of the benchmark of backends.
package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/bench/backends/task"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
)

type options struct {
	backend, file, program, contract, library, plugin, task string
	archives                                                []string
	threads                                                 int
	kept                                                    string // folder of what XLA compiled
}

func main() {
	var o options
	cmd := &cobra.Command{Use: "ours", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return o.serve(cmd.Context()) }}
	f := cmd.Flags()
	f.StringVar(&o.backend, "backend", "", "cpu, iree or xla")
	f.StringVar(&o.file, "file", "", "portable `file` of XLA, which has the graph")
	f.StringVar(&o.program, "program", "", "program of IREE")
	f.StringVar(&o.task, "task", "", "what to call")
	command.FlagContract.Text(cmd, &o.contract, "")
	command.FlagLibrary.Text(cmd, &o.library, "")
	command.FlagPlugin.Text(cmd, &o.plugin, "")
	command.FlagArchive.Texts(cmd, &o.archives)
	command.FlagThreads.Count(cmd, &o.threads)
	command.Main("ours", func(ctx context.Context) int {
		return command.Run(ctx, cmd, os.Args[1:], os.Stdout, os.Stderr)
	})
}

func (o *options) serve(ctx context.Context) error {
	t, err := task.Read(o.task)
	if err != nil {
		return err
	}
	calls := make([][]tensor.Value, len(t.Measures))
	for i, m := range t.Measures {
		for _, v := range m.Args {
			a, err := v.Load()
			if err != nil {
				return err
			}
			calls[i] = append(calls[i], a)
		}
	}
	var compiling time.Duration
	x, version, err := o.open(ctx, &compiling)
	if err != nil {
		return err
	}
	defer x.Close()
	if o.kept != "" {
		defer os.RemoveAll(o.kept)
	}
	results := make([][]tensor.Value, len(calls))
	return harness.Serve(os.Stdin, os.Stdout, task.CodeFile, task.Ready{Version: version}, func(q task.Question) (a task.Answer, err error) {
		i := q.Measure
		compiling = 0
		begun := time.Now()
		if into, ok := x.(backend.CallerAllocated); ok {
			results[i], err = into.CallInto(ctx, t.Measures[i].Entry, results[i], calls[i]...)
		} else {
			_, err = x.Call(ctx, t.Measures[i].Entry, calls[i]...)
		}
		a.Seconds, a.Compile = (time.Since(begun) - compiling).Seconds(), compiling.Seconds()
		if compiling > 0 && err == nil {
			a.Program, err = o.bytes()
		}
		return a, err
	})
}

// bytes returns the size of what XLA compiled, which its cache keeps.
func (o *options) bytes() (all int64, err error) {
	files, err := os.ReadDir(o.kept)
	if err != nil {
		return 0, errs.Wrap(task.CodeFile, err, "the folder of programs cannot be read").In(o.kept)
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && strings.HasSuffix(f.Name(), "."+xla.Extension) {
			all += info.Size()
		}
	}
	return all, nil
}

// open loads the backend; compiling is added what XLA's compiler takes.
func (o *options) open(ctx context.Context, compiling *time.Duration) (backend.Executable, string, error) {
	archives := command.Archives(o.archives, command.DefaultScope)
	switch o.backend {
	case compile.XLA:
		var err error
		if o.kept, err = os.MkdirTemp("", "skainet-programs-"); err != nil {
			return nil, "", errs.Wrap(task.CodeFile, err, "no folder for programs").Hint("set TMPDIR to a folder with free space")
		}
		kept, err := cache.Open(o.kept)
		if err != nil {
			return nil, "", err
		}
		x, err := xla.Open(ctx, xla.Options{
			Program: o.file, Archives: archives, Plugin: o.plugin, Threads: o.threads, Lazy: true, Cache: kept,
			Weights: xla.Packed, // as in the text that the peer runs
			Compiling: func(string, map[string]int64) func() {
				begun := time.Now()
				return func() { *compiling += time.Since(begun) }
			},
		})
		return x, "XLA through its plugin for CPUs", err
	case compile.IREE:
		c, err := contract.ReadFile(o.contract)
		if err != nil {
			return nil, "", err
		}
		x, err := iree.Open(iree.Options{Program: o.program, Contract: c, Archives: archives, Device: "cpu", Workers: o.threads, Library: o.library})
		return x, "IREE " + c.IREE, err
	}
	x, err := o.onCPU(archives)
	return x, "the CPU backend, in Go", err
}

// onCPU loads the graph on the CPU backend, which reads the archives in place.
func (o *options) onCPU(archives map[string][]string) (backend.Executable, error) {
	g, err := xla.ReadGraph(o.file)
	if err != nil {
		return nil, err
	}
	c, err := xla.ReadContract(o.file)
	if err != nil {
		return nil, err
	}
	types := map[string]tensor.Type{}
	for _, p := range c.Parameters {
		if types[p.Key], err = p.Stored(); err != nil {
			return nil, err
		}
	}
	values := map[string]tensor.Value{}
	for scope, paths := range archives {
		for _, path := range paths {
			f, err := irpa.Open(path) // mapped until the process ends
			if err != nil {
				return nil, err
			}
			for _, e := range f.Entries() {
				t, ok := types[e.Name]
				if !ok {
					continue
				}
				b, err := f.Tensor(e.Name)
				if err != nil {
					return nil, err
				}
				data, err := b.Bytes()
				if err != nil {
					return nil, err
				}
				values[scope+"::"+e.Name] = tensor.Value{Type: t, Bytes: data}
			}
		}
	}
	return cpu.Load(g, c, func(scope, key string) (tensor.Value, error) { return values[scope+"::"+key], nil })
}
