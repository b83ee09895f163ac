//go:build integration

// Command call calls a model that skainet_go_library made a Go package of: it prints the mean
// of all numbers so far after each argument.
//
//	bazel run //examples/call -- 1,2,3 10
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/examples/call/mean"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, lists []string) error {
	m, err := mean.Open(program.Options{})
	if err != nil {
		return err
	}
	defer m.Close()
	for _, list := range lists {
		var numbers []float32
		for text := range strings.SplitSeq(list, ",") {
			n, err := strconv.ParseFloat(text, 32)
			if err != nil {
				return err
			}
			numbers = append(numbers, float32(n))
		}
		// The program's state is in m: each call goes on where the last one ended.
		so, err := m.Add(ctx, numbers)
		if err != nil {
			return err
		}
		fmt.Printf("%g (of %d)\n", so.Mean, so.Count)
	}
	return nil
}
