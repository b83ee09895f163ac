// Package hloweights makes package io/weights open StableHLO texts, whose constants are
// weights: a program that is to pack or to inspect them imports it.
//
// # Errors
//
// Those of package compile/hlo/constants.
//
// # Determinism
//
// Everything depends only on the text.
package hloweights

import (
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/io/weights"
)

func init() {
	weights.Register(constants.Format, constants.Sniff, func(path string) (weights.Source, error) {
		f, err := constants.Open(path)
		if err != nil {
			return nil, err // not f, which would be a Source that is not nil
		}
		return f, nil
	}, verify.File)
}
