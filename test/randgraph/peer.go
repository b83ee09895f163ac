package randgraph

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os/exec"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Peer is a program that computes StableHLO text: another implementation. It reads
// and answers one JSON object per line, as stablehlo_peer.py describes. If it ends, it
// is restarted.
type Peer struct {
	Argv []string
	Log  io.Writer // receives its standard error

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (p *Peer) start() (err error) {
	p.cmd = exec.Command(p.Argv[0], p.Argv[1:]...)
	p.cmd.Stderr = p.Log
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReader(out)
	return p.cmd.Start()
}

// ask sends a request and waits for the answer.
func (p *Peer) ask(request any) (line []byte, err error) {
	if p.cmd == nil {
		if err := p.start(); err != nil {
			p.cmd = nil
			return nil, err
		}
	}
	err = json.NewEncoder(p.in).Encode(request)
	if err == nil {
		line, err = p.out.ReadBytes('\n')
	}
	if err != nil {
		p.Close()
	}
	return line, err
}

// Close ends the program.
func (p *Peer) Close() {
	if p.cmd != nil {
		p.in.Close()
		_ = p.cmd.Wait()
		p.cmd = nil
	}
}

// Backend runs graphs on the peer.
func (p *Peer) Backend(name string) Backend {
	return Backend{Name: name, Open: func(_ context.Context, g *dag.Graph) (backend.Executable, error) {
		m, err := hlo.Emit(g, hlo.Options{})
		if err != nil {
			return nil, err
		}
		x := &peerProgram{peer: p, contract: m.Contract, texts: map[string]string{}}
		for i, f := range g.Funcs {
			if !f.Entry {
				continue
			}
			// A module for the interpreter has one entry point, which is called main.
			alone := &dag.Graph{Name: g.Name}
			for _, callee := range g.Funcs[:i] {
				if !callee.Entry && calls(f.Body, callee.Name) {
					alone.Funcs = append(alone.Funcs, callee)
				}
			}
			main := *f
			main.Name = "main"
			alone.Funcs = append(alone.Funcs, &main)
			m, err := hlo.Emit(alone, hlo.Options{})
			if err != nil {
				return nil, err
			}
			x.texts[f.Name] = string(m.Text)
		}
		return x, nil
	}}
}

func calls(b *dag.Block, name string) (yes bool) {
	b.Walk(func(n *dag.Node) { yes = yes || n.Op.Role == op.Calls && n.Attrs.String("function") == name })
	return yes
}

// peerProgram is a graph that the peer evaluates.
type peerProgram struct {
	peer     *Peer
	contract *contract.Contract
	texts    map[string]string
}

type wire struct {
	DType dtype.DType `json:"dtype"`
	Shape []int64     `json:"shape"`
	Data  []byte      `json:"data"`
}

// Contract implements backend.Executable.
func (x *peerProgram) Contract() *contract.Contract { return x.contract }

// Close implements backend.Executable; the peer stays.
func (x *peerProgram) Close() error { return nil }

// Call implements backend.Executable.
func (x *peerProgram) Call(_ context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	request := struct {
		Text string `json:"text"`
		Args []wire `json:"args"`
	}{x.texts[entry], []wire{}}
	for _, a := range args {
		request.Args = append(request.Args, wire{a.Type.DType, append([]int64{}, a.Type.Shape.Sizes()...), a.Bytes})
	}
	var reply struct {
		Results []wire `json:"results"`
		Error   string `json:"error"`
		Invalid string `json:"invalid"`
	}
	line, err := x.peer.ask(request)
	if err == nil {
		err = json.Unmarshal(line, &reply)
	}
	if err != nil {
		return nil, errs.Wrap(CodePeer, err, "%s gave no answer", x.peer.Argv[0]).On(entry)
	}
	if reply.Invalid != "" {
		return nil, errs.New(CodeMismatch, "no StableHLO: %s", reply.Invalid).On(entry)
	}
	if reply.Error != "" {
		return nil, errs.New(CodePeer, "%s", reply.Error).On(entry)
	}
	out := make([]tensor.Value, len(reply.Results))
	for i, r := range reply.Results {
		out[i] = tensor.Value{Type: tensor.Type{DType: r.DType, Shape: shape.Of(r.Shape...)}, Bytes: r.Data}
		if err := out[i].Check(); err != nil {
			return nil, errs.Wrap(CodePeer, err, "result %d", i).On(entry)
		}
	}
	return out, nil
}
