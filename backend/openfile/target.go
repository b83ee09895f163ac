package openfile

import (
	"cmp"
	"context"
	"os/exec"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/iree/wheel"
	"github.com/skainet-dev/skainet-go/backend/open"
	xlaprogram "github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeTarget is the code of a device for which nothing is compiled.
const CodeTarget errs.Code = "MODELFILE_TARGET" // smallest input: --backend=iree --device=webgpu

// prepare finds what IREE needs: the runtime and the compiler, before long work, the
// target of this machine, and the cache.
func prepare(ctx context.Context, o *open.Options, folder string) error {
	if o.Library == "" && o.Tool == "" {
		if err := findRuntime(ctx, o, folder); err != nil {
			return err
		}
	}
	if o.Device == "" {
		o.Device = "cpu"
	}
	var err error
	if o.Target == "" {
		if o.Target, err = Target(o.Device, processor.Here()); err != nil {
			return err
		}
	} else if _, err := target.Find(o.Target); err != nil {
		return err
	}
	if o.Compiler == "" {
		if err := FindCompiler(ctx, o, folder); err != nil {
			return err
		}
	}
	o.Cache, err = cache.Open(folder)
	return err
}

// FindCompiler finds the compiler, or fetches it into a folder of caches if the options say
// so.
func FindCompiler(ctx context.Context, o *open.Options, folder string) (err error) {
	if o.Compiler, err = compiler.Find(); err == nil || !o.Fetch {
		return err
	}
	fetch, finish := fetcher(o, folder)
	defer finish()
	compile, linker, err := fetch.Compiler(ctx)
	if err != nil {
		return err
	}
	o.Compiler = compile
	if o.Linker == "" {
		o.Linker = linker
	}
	return nil
}

// fetcher brings tools of IREE, and tells the options' progress.
func fetcher(o *open.Options, folder string) (f *wheel.Fetcher, finish func()) {
	done := func() {}
	f = &wheel.Fetcher{Folder: folder}
	if o.Progress.Fetching != nil {
		f.Began = func(a wheel.Artifact, _ string) { done = o.Progress.Fetching(a.Filename) }
	}
	return f, func() { done() }
}

// prepareXLA finds what XLA needs: the plugin, before long work, the target, and the cache.
func prepareXLA(o *open.Options, folder string) (err error) {
	if o.Target == "" {
		o.Target = xla.Targets()[0].Name
	}
	to, err := xla.FindTarget(o.Target)
	if err != nil {
		return err
	}
	if o.Plugin == "" {
		if o.Plugin, err = xlaprogram.FindPlugin(to.Platform); err != nil {
			return err
		}
	}
	o.Cache, err = cache.Open(folder)
	return err
}

// known returns an error for names of a device or a target that do not exist, for a backend
// that needs neither.
func known(o *open.Options) error {
	if xla.IsTarget(o.Target) {
		_, err := xla.FindTarget(o.Target)
		return err
	}
	if o.Target != "" {
		_, err := target.Find(o.Target)
		return err
	}
	_, err := Target(cmp.Or(o.Device, "cpu"), processor.Here())
	return err
}

// tool is the name of the runtime's program.
const tool = "iree-run-module"

// findRuntime finds the library, or else the tool on the path, or else fetches the tool.
func findRuntime(ctx context.Context, o *open.Options, folder string) error {
	var missing error
	if o.Library, missing = iree.FindLibrary(); missing == nil {
		return nil
	}
	var err error
	if o.Tool, err = exec.LookPath(tool); err == nil {
		return nil
	}
	if o.Fetch {
		fetch, finish := fetcher(o, folder)
		defer finish()
		o.Tool, err = fetch.RunModule(ctx)
		return err
	}
	return errs.New(iree.CodeLoad, "neither the runtime library nor %s was found, and a program has to run in one of them", tool).
		Hint("name the library with --library or %s, name or install the tool (pip install iree-base-runtime==%s), or run without them: --backend=cpu", iree.LibraryVariable, target.IREEVersion())
}

// Target returns the target of programs for a device: for a processor the row with the
// most instructions of those that it can run, for other devices the first of their driver.
func Target(device string, here processor.Processor) (string, error) {
	driver, _, _ := strings.Cut(iree.Driver(device, 0), "://")
	rows := target.Rows()
	if strings.HasPrefix(driver, "local-") {
		for _, r := range here.Rows() {
			if !r.StaticLibrary {
				return r.Name, nil
			}
		}
		// The runtime's own interpreter, on a processor that no row is for.
		driver = "local-task"
		rows = slices.DeleteFunc(rows, func(r target.Row) bool { return r.Triple() != "" })
	}
	for _, r := range rows {
		if r.Device == driver && r.Refused == "" {
			return r.Name, nil
		}
	}
	return "", errs.New(CodeTarget, "no target is for the device %q", device).Hint("name a target with --target; skainet devices lists them")
}
