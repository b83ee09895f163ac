package open

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/archives"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	ireetext "github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// Progress is told of work that may take long; its functions may be nil.
type Progress struct {
	// Using is called with what was found for a program, before that is compiled or opened:
	// its target, and the files that compile it and run it.
	Using func(target, compiler, runtime string)
	// Compiling is called before a program is compiled, and done after it.
	Compiling func(name, target string) (done func())
	// Unfit is called with an entry point that has no program for the ranges of Buckets, and why.
	Unfit func(entry string, why error)
	// Fetching is called before a tool of IREE is fetched, and done after it.
	Fetching func(file string) (done func())
	// Packing is called with the bytes of an archive that are written, and with all.
	Packing func(written, all int64)
}

func openIREE(ctx context.Context, g *dag.Graph, _ *contract.Contract, dir string, o Options) (backend.Executable, error) {
	m, err := o.text(g)
	if err != nil {
		return nil, err
	}
	packed, err := packAll(ctx, dir, m.Contract, o)
	if err != nil {
		return nil, err
	}
	x := iree.Options{
		Contract: m.Contract, Archives: packed, Device: o.Device, Workers: o.Workers,
		Library: o.Library, Tool: o.Tool, PerCall: o.PerCall,
	}
	if o.Progress.Using != nil {
		runtime, err := x.Runtime()
		if err != nil {
			return nil, err
		}
		o.Progress.Using(o.Target, o.Compiler, runtime)
	}
	if x.Program, err = o.program(ctx, dir, m); err != nil {
		return nil, err
	}
	return iree.Open(x)
}

// text returns the text for IREE's compiler.
func (o *Options) text(g *dag.Graph) (*hlo.Module, error) {
	if o.Target == "" {
		return ireetext.Emit(g, ireetext.Options{Without: o.Without, Kernels: o.Kernels})
	}
	to, err := compile.To(o.Target, o.Level)
	if err != nil {
		return nil, err
	}
	texts, err := to.Texts(g, compile.Options{Without: o.Without})
	if err != nil {
		return nil, err
	}
	return texts[0].Module, nil
}

// row returns the target's row, "" where the flags are complete without one.
func (o *Options) row() string {
	if o.Target == "" && len(o.Flags) == 0 {
		return target.Default()
	}
	return o.Target
}

// compile compiles the text to a file, and returns the compiler's warnings.
func (o *Options) compile(ctx context.Context, m *hlo.Module, path string) ([]string, error) {
	if o.Progress.Compiling != nil {
		defer o.Progress.Compiling(m.Contract.Name, o.row())()
	}
	return compiler.Compile(ctx, compiler.Options{
		Compiler: o.Compiler, Linker: o.Linker, Target: o.row(), Level: o.Level, Flags: o.Flags, Text: m.Text, TextName: m.Contract.Name + ".mlir", Out: path,
	})
}

// program returns the path of the compiled text.
func (o *Options) program(ctx context.Context, dir string, m *hlo.Module) (string, error) {
	row := o.row()
	write := func(path string) error {
		_, err := o.compile(ctx, m, path)
		return err
	}
	if o.Cache == nil {
		path := filepath.Join(dir, "program.vmfb")
		return path, write(path)
	}
	version, err := o.Cache.Version(ctx, o.Compiler)
	if err != nil {
		return "", err
	}
	flags := o.Flags
	if row != "" {
		if flags, err = target.Flags(row, o.Level); err != nil {
			return "", err
		}
		flags = target.WithFlags(flags, o.Flags)
	}
	return o.Cache.Get(ctx, cache.Entry{
		// The text is what the compiler makes the program of: it has the graph's structure, and no weight.
		Key:   cache.Key([]byte("program"), []byte(version), []byte(strings.Join(flags, "\n")), m.Text),
		Kind:  "vmfb",
		Check: func(path string) error { _, err := iree.Parts(path); return err },
		Make:  write,
	})
}

// packAll returns an archive for each scope, with the types of the contract: the runtime
// maps no other format, and the elements of others do not lie as it needs them.
func packAll(ctx context.Context, dir string, c *contract.Contract, o Options) (map[string][]string, error) {
	packed := map[string][]string{}
	for _, scope := range c.Scopes() {
		path := filepath.Join(dir, opencpu.ArchiveName(len(packed)))
		write := func(path string) error { return packOne(path, c, scope, o.cpu().FileOf(scope), o.Progress) }
		var err error
		if file := o.cpu().FileOf(scope); o.Cache == nil || file == "" {
			err = write(path)
		} else {
			path, err = o.kept(ctx, c, scope, file, write)
		}
		if err != nil {
			return nil, err
		}
		packed[scope] = []string{path}
	}
	return packed, nil
}

// kept returns the archive of a scope in the cache. It follows from the parameters, and
// from the weights, of which a file that nobody wrote to has the same.
func (o *Options) kept(ctx context.Context, c *contract.Contract, scope, file string, write func(path string) error) (string, error) {
	own := contract.Contract{Schema: c.Schema, Name: "weights"}
	for _, p := range c.Parameters {
		if p.Scope == scope {
			own.Parameters = append(own.Parameters, p)
		}
	}
	doc, err := own.Marshal()
	if err != nil {
		return "", err
	}
	files, err := parts(file)
	if err != nil {
		return "", err
	}
	identity, err := cache.Identity(files...)
	if err != nil {
		return "", err
	}
	return o.Cache.Get(ctx, cache.Entry{
		Key:  cache.Key([]byte("archive"), doc, identity),
		Kind: "irpa",
		Check: func(path string) error {
			return archives.Check(cache.CodeFolder, &own, map[string][]string{scope: {path}})
		},
		Make: write,
	})
}

// parts returns the files that the weights at a path lie in.
func parts(path string) ([]string, error) {
	w, err := weights.Open(path)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	x, err := w.Index()
	if err != nil {
		return nil, err
	}
	files, seen := []string{path}, map[string]bool{path: true}
	for _, t := range x.Tensors {
		// A tensor that lies in no place of a file, such as text of numbers, is in the first.
		if at, _, err := w.Place(t.Name); err == nil && !seen[at] {
			files, seen[at] = append(files, at), true
		}
	}
	return files, nil
}

func packOne(path string, c *contract.Contract, scope, file string, progress Progress) error {
	var w *weights.File
	if file != "" {
		var err error
		if w, err = weights.Open(file); err != nil {
			return err
		}
		defer w.Close()
	}
	o := pack.Options{}
	if progress.Packing != nil {
		o.Progress = func(done, all int64, _ string) { progress.Packing(done, all) }
	}
	_, err := pack.Program(path, c, scope, w, o)
	return err
}
