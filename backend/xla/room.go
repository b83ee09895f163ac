package xla

import (
	"math"

	"github.com/dustin/go-humanize"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/memory"
	"github.com/skainet-dev/skainet-go/tensor"
)

// need is the memory that something takes, in bytes: of this process, and of each device. A
// device that is a processor has the memory of the process.
type need struct{ host, device int64 }

// asked is how much is taken without asking what is there: to ask takes longer than a call of
// a small program.
const asked = 64 << 20

// value adds a value that each device has its part of.
func (n *need) value(e *engine, t tensor.Type, s dag.Sharding) {
	if !s.IsWhole() && e.mesh.Fits(t, s) == nil {
		t = e.mesh.Part(t, s)
	}
	n.device = plus(n.device, bytesOf(t))
}

// bytesOf returns the bytes of a value; one whose bytes no number tells has the most.
func bytesOf(t tensor.Type) int64 {
	n, err := t.Bytes()
	if err != nil || n < 0 {
		return math.MaxInt64
	}
	return n
}

// plus adds what is not negative, up to the largest number.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// room returns an error if memory for what is not there: a process that takes it all the same
// ends without a word.
func (e *engine) room(n need, what, hint string) error {
	host := n.host
	if e.client.Platform() == cpuPlatform {
		for range e.devices {
			host = plus(host, n.device)
		}
	} else if n.device > asked {
		for _, d := range e.devices {
			m, err := d.Memory()
			if err != nil || m.Limit == 0 {
				continue // the plugin does not tell, and refuses by itself
			}
			if left := max(m.Limit-m.Used, 0); n.device > left {
				return tooLittle(what, n.device, left, "device %d has", d.ID).Hint("%s", hint)
			}
		}
	}
	if host <= asked {
		return nil
	}
	if left := memory.Available(); host > left {
		return tooLittle(what, host, left, "the machine has").Hint("%s", hint)
	}
	return nil
}

func tooLittle(what string, want, left int64, who string, args ...any) *errs.Error {
	args = append([]any{what, want, humanize.IBytes(uint64(want))}, append(args, left, humanize.IBytes(uint64(left)))...)
	return errs.New(pjrt.CodeMemory, "%s would take %d bytes (%s), and "+who+" %d (%s) that are free", args...)
}

// roomForStates returns an error if the state variables do not fit.
func (e *engine) roomForStates() error {
	var n need
	for _, s := range e.source.states() {
		n.value(e, stateType(s), e.mesh.States[s.Name])
		n.host = max(n.host, bytesOf(stateType(s))) // while it is made
	}
	return e.room(n, "the state of a session", "open the program with a smaller state, such as a shorter --context, or where there is more memory")
}

// roomForWeights returns an error if the weights of a scope, where they are copied, do not fit.
func (e *engine) roomForWeights(scope string) error {
	if !e.copies && e.client.Platform() == cpuPlatform {
		return nil
	}
	var n need
	for _, p := range e.contract.Parameters {
		if t, err := p.Stored(); err == nil && p.Scope == scope {
			n.value(e, t, e.mesh.Parameter(p.Key, t.Shape.Rank()))
		}
	}
	return e.room(n, "the copy of the weights", "use a smaller model or encoding, more devices, or a device with more memory")
}

// call returns what a call takes but for what is there already: its arguments and results.
func (e *engine) call(entry *contract.Entry, args []tensor.Value, results []tensor.Type) need {
	var n need
	for i, v := range args {
		n.value(e, v.Type, e.mesh.Arguments[dag.PortName(entry.Name, entry.Args[i].Name)])
	}
	for i, t := range results {
		n.value(e, t, e.mesh.Results[dag.PortName(entry.Name, entry.Results[i].Name)])
		n.host = plus(n.host, bytesOf(t))
	}
	return n
}

// padded returns what a call of a program for ranges takes, as call does: both sides have values
// of the largest sizes.
func padded(b *bucket) need {
	var n need
	for _, list := range [][]tensor.Type{b.args, b.results} {
		for _, t := range list {
			n.device, n.host = plus(n.device, bytesOf(t)), plus(n.host, bytesOf(t))
		}
	}
	return n
}

// temporary returns what a run of the program takes besides, as far as the plugin tells it.
func (p *program) temporary() int64 {
	if p.temp == nil {
		var n int64
		if m, err := p.executable.Memory(); err == nil {
			n = max(m.Temporary, 0)
		}
		p.temp = &n
	}
	return *p.temp
}
