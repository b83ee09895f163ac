package pjrt

import (
	"runtime"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/dynlib"
)

// Executable is a program that a client compiled or loaded.
type Executable struct {
	client  *Client
	handle  uintptr
	ticket  ticket
	outputs int
}

// onePartition is a CompileOptionsProto with executable_build_options of one replica and
// one partition; see xla/pjrt/proto/compile_options.proto.
var onePartition = []byte{0x1a, 4, 0x20, 1, 0x28, 1}

// Compile compiles StableHLO text, whose entry point is @main, for one device. options is
// a serialised CompileOptionsProto of XLA; an empty one is that of one device.
func (c *Client) Compile(text, options []byte) (*Executable, error) {
	done, err := c.use()
	if err != nil {
		return nil, err
	}
	defer done()
	if len(text) == 0 {
		return nil, errs.New(CodeCompile, "the text is empty")
	}
	if len(options) == 0 {
		options = onePartition
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	format := []byte("mlir")
	p := &program{head{size: unsafe.Sizeof(program{})}, &text[0], uintptr(len(text)), &format[0], uintptr(len(format))}
	x := &compileArgs{
		head: head{size: unsafe.Sizeof(compileArgs{})}, client: c.client, program: p, options: unsafe.SliceData(options), n: uintptr(len(options)),
	}
	for _, at := range []any{p, p.code, p.format, x.options} {
		pin.Pin(at)
	}
	if err := c.plugin.call(clientCompile, unsafe.Pointer(x)); err != nil {
		return nil, failed(CodeCompile, err, "XLA does not compile the text").
			Hint("the message names line and column of the text; compile/xla.Rewrites lists what XLA is known to refuse")
	}
	return c.executable(x.executable)
}

// Load loads a program that Serialize returned, of the same build of the plugin. options are
// as in Compile, in place of those that it was compiled with, to run it on other devices of the
// same kind; without them it runs on those that it was compiled for.
func (c *Client) Load(serialised, options []byte) (*Executable, error) {
	done, err := c.use()
	if err != nil {
		return nil, err
	}
	defer done()
	if len(serialised) == 0 {
		return nil, errs.New(CodeProgram, "the serialised program is empty").Hint("compile it again")
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	x := &loadArgs{head: head{size: unsafe.Sizeof(loadArgs{})}, client: c.client, data: &serialised[0], n: uintptr(len(serialised))}
	pin.Pin(x.data)
	if len(options) > 0 {
		x.options, x.optionsN = &options[0], uintptr(len(options))
		pin.Pin(x.options)
	}
	if err := c.plugin.call(executableLoad, unsafe.Pointer(x)); err != nil {
		return nil, failed(CodeProgram, err, "the plugin does not load the serialised program").Hint("compile it again, with this plugin and for these devices")
	}
	return c.executable(x.executable)
}

// executable takes a loaded executable.
func (c *Client) executable(handle uintptr) (*Executable, error) {
	e := &Executable{client: c, handle: handle, ticket: c.own(handle, loadedDestroy)}
	runtime.AddCleanup(e, func(t ticket) { _ = c.release(t) }, e.ticket)
	err := e.inner(func(inner uintptr) error {
		n, err := c.plugin.number(executableOutputs, inner)
		e.outputs = int(n)
		return err
	})
	if err != nil {
		return nil, errs.Wrap(CodeProgram, err, "the program does not tell its results")
	}
	return e, nil
}

// inner calls f with the executable apart from its devices.
func (e *Executable) inner(f func(inner uintptr) error) error {
	if err := e.open(); err != nil {
		return err
	}
	p := e.client.plugin
	inner, err := p.number(loadedExecutable, e.handle)
	if err != nil {
		return err
	}
	err = f(inner)
	if freed := p.of(executableDestroy, inner); err == nil {
		err = freed
	}
	return err
}

// open returns an error if the program was closed.
func (e *Executable) open() error {
	if e.client.owns(e.ticket) {
		return nil
	}
	return errs.New(CodeClosed, "the program was closed").Hint("open it again")
}

// Outputs returns the number of results.
func (e *Executable) Outputs() int { return e.outputs }

// Serialize returns the program as bytes that Load takes.
func (e *Executable) Serialize() ([]byte, error) {
	done, err := e.client.use()
	if err != nil {
		return nil, err
	}
	defer done()
	var out []byte
	err = e.inner(func(inner uintptr) error {
		x := &serializeArgs{head: head{size: unsafe.Sizeof(serializeArgs{})}, executable: inner}
		if err := e.client.plugin.call(executableSerialize, unsafe.Pointer(x)); err != nil {
			return err
		}
		out = append(out, unsafe.Slice(x.data, x.n)...)
		dynlib.Invoke(x.free, x.owner)
		return nil
	})
	runtime.KeepAlive(e)
	if err != nil {
		return nil, failed(CodeProgram, err, "the plugin does not serialise the program").Hint("keep its text, and compile it where it runs")
	}
	return out, nil
}

// Optimized returns the program as the compiler left it, for each device the same: a
// serialised HloModuleProto of xla/service/hlo.proto. Not every plugin tells it: XLA_PROGRAM.
func (e *Executable) Optimized() ([]byte, error) {
	done, err := e.client.use()
	if err != nil {
		return nil, err
	}
	defer done()
	var out []byte
	var format string
	err = e.inner(func(inner uintptr) error {
		var pin runtime.Pinner
		defer pin.Unpin()
		p := &program{head: head{size: unsafe.Sizeof(program{})}}
		x := &optimizedArgs{head: head{size: unsafe.Sizeof(optimizedArgs{})}, executable: inner, program: p}
		pin.Pin(p)
		if err := e.client.plugin.call(executableOptimized, unsafe.Pointer(x)); err != nil || p.n == 0 { // tells the length
			return err
		}
		out = make([]byte, p.n)
		p.code = &out[0]
		pin.Pin(p.code)
		err := e.client.plugin.call(executableOptimized, unsafe.Pointer(x))
		format = textAt(unsafe.Pointer(p.format), p.nf)
		return err
	})
	runtime.KeepAlive(e)
	if err != nil {
		return nil, errs.Wrap(CodeProgram, err, "the plugin does not show the compiled program")
	}
	if len(out) == 0 {
		return nil, errs.New(CodeProgram, "the plugin does not show the compiled program")
	}
	if format != "hlo_with_config" {
		return out, nil
	}
	// The module is the first field; its configuration comes after it.
	if _, _, n := protowire.ConsumeTag(out); n > 0 {
		if module, m := protowire.ConsumeBytes(out[n:]); m > 0 {
			return module, nil
		}
	}
	return nil, errs.New(CodeProgram, "the compiled program that the plugin shows is damaged")
}

// Need is what a run takes, in bytes.
type Need struct {
	Code      int64
	Arguments int64
	Results   int64
	Aliased   int64 // results that take the memory of donated arguments
	Temporary int64
}

// Memory returns what a run takes. Not every plugin tells it: XLA_PROGRAM.
func (e *Executable) Memory() (Need, error) {
	done, err := e.client.use()
	if err != nil {
		return Need{}, err
	}
	defer done()
	x := &memoryArgs{head: head{size: unsafe.Sizeof(memoryArgs{})}}
	err = e.inner(func(inner uintptr) error {
		x.executable = inner
		return e.client.plugin.call(executableMemory, unsafe.Pointer(x))
	})
	runtime.KeepAlive(e)
	if err != nil {
		return Need{}, errs.Wrap(CodeProgram, err, "the plugin does not tell what the program takes")
	}
	return Need{x.code, x.args, x.results, x.aliased, x.temporary}, nil
}

// Close frees the program. Closing again does nothing.
func (e *Executable) Close() error { return e.client.release(e.ticket) }
