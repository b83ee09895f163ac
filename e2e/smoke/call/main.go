// Command call computes y = scale*x + shift with the model's compiled program:
//
//	bazel run //call -- 1 2 3
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// parts is set by the target :parts.
var parts program.Parts

func main() {
	device := flag.String("device", "cpu", "cpu, or a driver of the runtime")
	flag.Parse()
	y, err := call(context.Background(), program.Options{Device: *device}, flag.Args())
	if err != nil {
		os.Exit(explain(err))
	}
	fmt.Println(y)
}

// call opens the program and calls its entry point.
func call(ctx context.Context, o program.Options, numbers []string) ([]float32, error) {
	var values []float32
	for _, n := range numbers {
		v, err := strconv.ParseFloat(n, 32)
		if err != nil {
			return nil, err
		}
		values = append(values, float32(v))
	}
	x, err := tensor.Of(values, int64(len(values)))
	if err != nil {
		return nil, err
	}
	affine, err := parts.Open(o)
	if err != nil {
		return nil, err
	}
	defer affine.Close()
	results, err := affine.Call(ctx, "main", x)
	if err != nil {
		return nil, err
	}
	return tensor.Slice[float32](results[0])
}

// explain prints what to do, according to the error's code, and returns the exit status.
func explain(err error) int {
	switch errs.CodeOf(err) {
	case "":
		fmt.Fprintln(os.Stderr, "call: not a number:", err)
		return 2
	case backend.CodeBadArgument:
		fmt.Fprintln(os.Stderr, "call: give three numbers:", err)
		return 2
	case program.CodeDevice:
		fmt.Fprintln(os.Stderr, "call: use another device:", err)
		return 3
	}
	var e *errs.Error
	if errors.As(err, &e) {
		fmt.Fprintf(os.Stderr, "call: %s: %s; %s\n", e.Code, e.What, e.Do)
	}
	return 1
}
