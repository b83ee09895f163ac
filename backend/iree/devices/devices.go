// Package devices tells what of the runtime's devices is on this machine, and what each
// target of the table would need to run here.
//
// # Errors
//
// Those of package ireert for a library that was named and cannot be loaded. Otherwise
// none: what is missing is what it reports. A driver is opened to see whether there is a
// device, and the runtime's words for a failure are its reason.
//
// # Determinism
//
// The report depends on the machine, on the runtime library and on its environment.
package devices

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/iree/tools"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// Report is what is here.
type Report struct {
	Processor    string   `json:"processor"`    // architecture and operating system
	Instructions []string `json:"instructions"` // that programs may use and the processor has
	Library      string   `json:"library"`      // the runtime library, "" where there is none
	Tool         string   `json:"tool"`         // the runtime's tool, where there is no library
	Missing      string   `json:"missing"`      // why there is neither
	Drivers      []Driver `json:"drivers"`      // of the library or the tool
	Targets      []Target `json:"targets"`      // in the order of the table
}

// Driver is a device driver that the library or the tool has.
type Driver struct {
	Name    string `json:"name"`
	Device  bool   `json:"device"`  // whether it has a device here
	Missing string `json:"missing"` // why not
}

// Target is a row of the table.
type Target struct {
	Name   string `json:"name"`
	Driver string `json:"driver"`
	Here   bool   `json:"here"`  // whether its programs run here, as far as can be told
	Needs  string `json:"needs"` // what a machine must have for them
	Why    string `json:"why"`   // what is missing here
}

// Options says which runtime is looked at; the zero value is the one that is found.
type Options struct {
	Library, Tool string // as in iree.Options
	Folder        string // of fetched tools; "" is that of package cache
}

// Of returns what is on this machine. A library or a tool that is named and cannot be used
// is an error. Nothing is fetched.
func Of(ctx context.Context, o Options) (*Report, error) {
	return of(ctx, o, processor.Here())
}

func of(ctx context.Context, o Options, here processor.Processor) (*Report, error) {
	r := &Report{Processor: here.Arch + " " + here.OS, Instructions: here.Has(), Drivers: []Driver{}}
	library, tool, err := tools.Search{Folder: o.Folder}.Runtime(ctx, o.Library, o.Tool)
	if err == nil && library != "" {
		err = r.open(library)
	} else if err == nil {
		err = r.ask(ctx, tool)
	}
	if err != nil {
		if o.Library != "" || o.Tool != "" {
			return nil, err
		}
		r.Missing = words(err)
	}
	for _, row := range target.Rows() {
		r.Targets = append(r.Targets, r.target(row, here))
	}
	return r, nil
}

// open lists the drivers of a library.
func (r *Report) open(path string) error {
	lib, err := ireert.Load(path)
	if err != nil {
		return err
	}
	names, err := lib.Drivers()
	if err != nil {
		return err
	}
	r.Library = path
	r.drivers(names, func(name string) error {
		session, err := lib.Open(name, "", 1)
		if err != nil {
			return err
		}
		return session.Close()
	})
	return nil
}

// ask lists the drivers of the tool.
func (r *Report) ask(ctx context.Context, path string) error {
	names, err := iree.ToolDrivers(ctx, path)
	if err != nil {
		return err
	}
	r.Tool = path
	r.drivers(names, func(name string) error { return iree.ToolDevice(ctx, path, name) })
	return nil
}

// drivers tries each driver.
func (r *Report) drivers(names []string, try func(name string) error) {
	for _, name := range names {
		d := Driver{Name: name, Device: true}
		if err := try(name); err != nil {
			d.Device, d.Missing = false, words(err)
		}
		r.Drivers = append(r.Drivers, d)
	}
}

// words returns the cause of an error in one line, or the error's own words.
func words(err error) string {
	var status *ireert.Status
	if errors.As(err, &status) && status.Text != "" {
		return status.Text
	}
	var e *errs.Error
	if errors.As(err, &e) {
		if e.Code == iree.CodeNoDevice && e.Cause != nil { // the tool's
			return e.Cause.Error()
		}
		if e.Do != "" {
			return e.What + "; " + e.Do
		}
		return e.What
	}
	return err.Error()
}

// systems are what drivers need of the machine.
var systems = map[string]string{
	"cuda":   "NVIDIA's driver (libcuda)",
	"hip":    "AMD's ROCm (libamdhip64)",
	"metal":  "macOS",
	"vulkan": "a Vulkan loader (libvulkan) and a driver for it",
	"webgpu": "a browser",
}

func (r *Report) target(row target.Row, here processor.Processor) Target {
	t := Target{Name: row.Name, Driver: row.Device, Needs: needs(row)}
	n := processor.RowNeeds(row)
	switch lacks := here.Lacks(n.Instructions); {
	case row.Refused != "":
		t.Why = row.Refused
	case n.Arch != "" && n.Arch != here.Arch:
		t.Why = "this processor is " + here.Arch
	case len(lacks) > 0:
		t.Why = "this processor lacks " + strings.Join(lacks, ", ")
	case n.Arch != "" && !here.IsSystem(row):
		t.Why = "this system is " + here.OS
	case row.StaticLibrary:
		t.Why = "its code is linked into a program"
	default:
		t.Why = r.driver(row.Device)
	}
	t.Here = t.Why == ""
	return t
}

// driver returns why the programs of a driver do not run here, "" where they do.
func (r *Report) driver(name string) string {
	for _, d := range r.Drivers {
		if d.Name == name && !d.Device {
			return "the driver " + name + " finds no device"
		}
		if d.Name == name {
			return ""
		}
	}
	if r.Library == "" && r.Tool == "" {
		return "there is no runtime"
	}
	return "the runtime has no driver " + name
}

func needs(row target.Row) string {
	if triple := row.Triple(); triple != "" {
		return fmt.Sprintf("a processor for %s with %s", triple, strings.Join(row.Instructions, " "))
	}
	system, ok := systems[row.Device]
	if !ok {
		return "any processor"
	}
	if flag := target.ArchitectureFlag(row.Device); flag != "" {
		for _, f := range row.Flags {
			if name, ok := strings.CutPrefix(f, flag+"="); ok {
				return system + ", and a device that runs code for " + name
			}
		}
	}
	return system
}
