package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestNoProgram(t *testing.T) {
	err := serve(context.Background(), program.Options{Device: "cpu"})
	require.Equal(t, program.CodeDevice, errs.CodeOf(err))
}
