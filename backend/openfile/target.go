package openfile

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/iree/tools"
	"github.com/skainet-dev/skainet-go/backend/open"
	xlaprogram "github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeTarget is the code of a device for which nothing is compiled.
const CodeTarget errs.Code = "MODELFILE_TARGET" // smallest input: --backend=iree --device=webgpu

// prepare finds what IREE needs: the runtime and the compiler, before long work, the
// target of this machine, and the cache.
func prepare(ctx context.Context, o *open.Options, folder string) error {
	if err := FindRuntime(ctx, o, folder); err != nil {
		return err
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
	if err := FindCompiler(ctx, o, folder); err != nil {
		return err
	}
	o.Cache, err = cache.Open(folder)
	return err
}

// FindCompiler sets the compiler and the linker to those that package tools finds, where they are not named.
func FindCompiler(ctx context.Context, o *open.Options, folder string) (err error) {
	o.Compiler, o.Linker, err = search(o, folder).Compiler(ctx, o.Compiler, o.Linker)
	return err
}

// FindRuntime sets the library, or else the tool, to what package tools finds, where neither is named.
func FindRuntime(ctx context.Context, o *open.Options, folder string) (err error) {
	o.Library, o.Tool, err = search(o, folder).Runtime(ctx, o.Library, o.Tool)
	return err
}

// search is the search of the options.
func search(o *open.Options, folder string) tools.Search {
	return tools.Search{Folder: folder, Fetch: o.Fetch, Fetching: o.Progress.Fetching}
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
