package iree

import (
	"context"
	"errors"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/archives"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// inProcess is a program in this process.
type inProcess struct {
	contract  *contract.Contract
	program   string
	mode      ireert.ParameterMode
	session   *ireert.Session
	functions map[string]ireert.Function
}

func openInProcess(o Options, library string) (_ backend.Executable, err error) {
	lib, err := ireert.Load(library)
	if err != nil {
		return nil, err
	}
	driver, device, _ := strings.Cut(o.Device, "://")
	if err := checkDriver(lib, o.Device, driver); err != nil {
		return nil, err
	}
	session, err := lib.Open(driver, device, o.Workers)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			session.Close()
		}
	}()
	mode := ireert.Mapped
	if o.CopyParameters {
		mode = ireert.Copied
	}
	for _, scope := range archives.Scopes(o.Archives) {
		for _, path := range o.Archives[scope] {
			if err := session.AddParameters(scope, path, mode); err != nil {
				return nil, err
			}
		}
	}
	if err := session.Load(o.Program); err != nil {
		return nil, err
	}
	return started(o.Contract, o.Program, mode, session)
}

// started finds the entry points of the program that a session has loaded.
func started(c *contract.Contract, program string, mode ireert.ParameterMode, session *ireert.Session) (*inProcess, error) {
	p := &inProcess{contract: c, program: program, mode: mode, session: session, functions: map[string]ireert.Function{}}
	for _, e := range c.Entries {
		f, err := session.Lookup(c.Name + "." + e.Name)
		if err != nil {
			return nil, errs.WithFile(err, program)
		}
		p.functions[e.Name] = f
	}
	return p, nil
}

// Session implements backend.Shared.
func (p *inProcess) Session(files map[string][]string) (backend.Executable, error) {
	if err := archives.CheckScopes(CodeParameters, p.contract, files, archives.Scopes(files)); err != nil {
		return nil, err
	}
	session, err := p.session.Share(files, p.contract.Scopes(), p.mode)
	if err != nil {
		return nil, errs.WithFile(err, p.program)
	}
	n, err := started(p.contract, p.program, p.mode, session)
	if err != nil {
		session.Close()
		return nil, err
	}
	return n, nil
}

// Memory implements Metered.
func (p *inProcess) Memory() (Memory, error) { return p.session.Memory() }

// CheckDevice opens a device, unless it is a CPU driver, with a runtime library and closes
// it: it is an error before long work, such as compiling, if there is no such device.
func CheckDevice(library, device string, workers int) error {
	driver, path, _ := strings.Cut(Driver(device, workers), "://")
	if library == "" || strings.HasPrefix(driver, "local-") {
		return nil
	}
	lib, err := ireert.Load(library)
	if err != nil {
		return err
	}
	if err := checkDriver(lib, device, driver); err != nil {
		return err
	}
	session, err := lib.Open(driver, path, workers)
	if err != nil {
		return err
	}
	return session.Close()
}

// checkDriver checks the list of drivers before a device is opened, since a misspelt
// name is the usual mistake.
func checkDriver(lib *ireert.Library, device, driver string) error {
	names, err := lib.Drivers()
	if err != nil {
		return err
	}
	for _, n := range names {
		if n == driver {
			return nil
		}
	}
	return noDriver(device, names)
}

func noDriver(device string, names []string) error {
	return errs.New(CodeNoDevice, "the runtime has no such device driver").On(device).
		Hint("use one of %s", strings.Join(names, ", "))
}

func (p *inProcess) Contract() *contract.Contract { return p.contract }

func (p *inProcess) Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	return p.CallInto(ctx, entry, nil, args...)
}

// CallInto implements backend.CallerAllocated.
func (p *inProcess) CallInto(ctx context.Context, entry string, into []tensor.Value, args ...tensor.Value) ([]tensor.Value, error) {
	b, err := backend.Begin(p.contract, entry, args)
	if err != nil {
		return nil, err
	}
	operands := make([]Operand, len(args))
	for i := range args {
		operands[i].Host = args[i]
	}
	results, err := p.call(ctx, b, operands, into, nil)
	if err != nil {
		return nil, err
	}
	values := make([]tensor.Value, len(results))
	for i := range results {
		values[i] = results[i].Host
	}
	return values, nil
}

// CallResident implements Resident.
func (p *inProcess) CallResident(ctx context.Context, entry string, args []Operand, keep ...int) ([]Operand, error) {
	e, err := p.contract.Entry(entry)
	if err != nil {
		return nil, err
	}
	types := make([]tensor.Type, len(args))
	for i, a := range args {
		types[i] = a.Host.Type
		if a.Device != nil {
			types[i] = a.Device.Type()
		}
	}
	b, err := backend.BeginOf(e, types)
	if err != nil {
		return nil, err
	}
	return p.call(ctx, b, args, nil, keep)
}

// call cannot be interrupted once the program runs; ctx is checked before.
func (p *inProcess) call(ctx context.Context, b backend.Begun, args []Operand, into []tensor.Value, keep []int) ([]Operand, error) {
	e := b.Entry
	if err := ctx.Err(); err != nil {
		return nil, errs.Wrap(CodeCall, err, "the call was not started").In(p.program).On(e.Name)
	}
	wants := make([]ireert.Want, len(b.Results))
	for i, t := range b.Results {
		wants[i].Type = t
		if i < len(into) && into[i].Type.DType == t.DType && into[i].Type.Shape.Equal(t.Shape) {
			wants[i].Into = into[i].Bytes
		}
	}
	for _, i := range keep {
		if i < 0 || i >= len(wants) {
			return nil, errs.New(backend.CodeBadArgument, "cannot keep result %d of %d", i, len(wants)).On(e.Name)
		}
		wants[i].Keep = true
	}
	out, err := p.session.Call(p.functions[e.Name], args, wants)
	return out, place(err, p.program, e.Name)
}

// place names the program and the entry point on an error of a call.
func place(err error, program, entry string) error {
	var e *errs.Error
	if errors.As(err, &e) && e.Node == "" {
		e.Node = entry
	}
	return errs.WithFile(err, program)
}

func (p *inProcess) Close() error { return p.session.Close() }
