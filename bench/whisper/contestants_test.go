package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// The first missing part is reported.
func TestLocated(t *testing.T) {
	var failure error
	path := located(&failure)
	path("../first")
	path("../second")
	require.Equal(t, errs.Code("BENCH_RUNFILES"), errs.CodeOf(failure))
	require.ErrorContains(t, failure, "../first")
}
