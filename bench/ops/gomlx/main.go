// Command gomlx is the side of GoMLX's backend in pure Go in the benchmark of
// operations: see bench/ops/contestant for the protocol. It is a module of its own,
// so that ours needs none of its dependencies.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/core/tensors/images"
)

type ready struct {
	Version string   `json:"version"`
	Do      []string `json:"do"`
}

type request struct {
	Do    string  `json:"do"`
	Least float64 `json:"least"`
}

type answer struct {
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`
	Sum     float64 `json:"sum"`
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "gomlx:", err)
		os.Exit(1)
	}
}

func serve() error {
	answers := json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr // what the library prints must not come between
	if err := answers.Encode(ready{"GoMLX 0.26.0, backend simplego", []string{"matmul", "gemv", "conv2d", "layer_norm", "softmax"}}); err != nil {
		return err
	}
	backend, err := simplego.New(fmt.Sprintf("parallelism=%d", runtime.GOMAXPROCS(0)))
	if err != nil {
		return err
	}
	runs := map[string]func() (*tensors.Tensor, error){}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var q request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		o, ok := operations[q.Do]
		if !ok {
			return fmt.Errorf("asked to %q", q.Do)
		}
		run := runs[q.Do]
		if run == nil {
			exec, err := graph.NewExec(backend, o.f)
			if err != nil {
				return err
			}
			in := o.in()
			run = func() (*tensors.Tensor, error) { return exec.Exec1(in...) }
			runs[q.Do] = run
		}
		a, err := measure(run, q.Least)
		if err != nil {
			return err
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

func measure(run func() (*tensors.Tensor, error), least float64) (answer, error) {
	result, err := run()
	if err != nil {
		return answer{}, err
	}
	a := answer{Seconds: math.Inf(1), CPU: math.Inf(1)}
	elements, err := tensors.CopyFlatData[float32](result)
	if err != nil {
		return a, err
	}
	for _, v := range elements {
		a.Sum += math.Abs(float64(v))
	}
	for begun := time.Now(); time.Since(begun).Seconds() < least || math.IsInf(a.Seconds, 1); {
		spent, start := cpu(), time.Now()
		if result, err = run(); err != nil {
			return a, err
		}
		a.Seconds = min(a.Seconds, time.Since(start).Seconds())
		a.CPU = min(a.CPU, cpu()-spent)
		if err := result.FinalizeAll(); err != nil {
			return a, err
		}
	}
	return a, nil
}

// cpu returns the seconds of user and system time that this process has used.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for arguments that are not these
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

type operation struct {
	in func() []any
	f  func(in []*graph.Node) *graph.Node
}

var operations = map[string]operation{
	"matmul": {
		func() []any { return []any{numbers(1, 1024, 1024), numbers(2, 1024, 1024)} },
		func(in []*graph.Node) *graph.Node { return graph.Dot(in[0], in[1]) },
	},
	"gemv": {
		func() []any { return []any{numbers(1, 4096), numbers(2, 4096, 4096)} },
		func(in []*graph.Node) *graph.Node { return graph.Dot(in[1], in[0]) },
	},
	"conv2d": {
		func() []any { return []any{numbers(1, 1, 64, 56, 56), numbers(2, 64, 64, 3, 3)} },
		func(in []*graph.Node) *graph.Node {
			// Its layouts: x [N, H, W, C], kernel [H, W, C, O].
			return graph.Convolve(in[0], in[1]).ChannelsAxis(images.ChannelsLast).Strides(1).Dilations(1).PadSame().Done()
		},
	},
	"layer_norm": {
		func() []any { return []any{numbers(1, 512, 768), numbers(3, 768), numbers(4, 768)} },
		func(in []*graph.Node) *graph.Node {
			x := in[0]
			d := graph.Sub(x, graph.ReduceAndKeep(x, graph.ReduceMean, -1))
			variance := graph.ReduceAndKeep(graph.Square(d), graph.ReduceMean, -1)
			y := graph.Mul(d, graph.Rsqrt(graph.AddScalar(variance, 1e-5)))
			return graph.Add(graph.Mul(y, graph.ExpandLeftToRank(in[1], 2)), graph.ExpandLeftToRank(in[2], 2))
		},
	},
	"softmax": {
		func() []any { return []any{numbers(1, 512, 1024)} },
		func(in []*graph.Node) *graph.Node { return graph.Softmax(in[0], -1) },
	},
}

// numbers makes an operand as bench/ops/contestant.Numbers does; those of the
// convolution are given as [N, C, H, W] and [O, C, H, W], and turned.
func numbers(operand int, sizes ...int) *tensors.Tensor {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	x := make([]float32, n)
	for i := range x {
		x[i] = float32((i*(operand*8+3)+operand)%2039)/1019.5 - 1
	}
	if len(sizes) != 4 {
		return tensors.FromFlatDataAndDimensions(x, sizes...)
	}
	order := []int{0, 2, 3, 1}
	if operand == 2 {
		order = []int{2, 3, 1, 0}
	}
	steps := []int{sizes[1] * sizes[2] * sizes[3], sizes[2] * sizes[3], sizes[3], 1}
	to, from := make([]int, 4), make([]int, 4)
	for i, o := range order {
		to[i], from[i] = sizes[o], steps[o]
	}
	y := make([]float32, 0, n)
	for a := range to[0] {
		for b := range to[1] {
			for c := range to[2] {
				for d := range to[3] {
					y = append(y, x[a*from[0]+b*from[1]+c*from[2]+d*from[3]])
				}
			}
		}
	}
	return tensors.FromFlatDataAndDimensions(y, to...)
}
