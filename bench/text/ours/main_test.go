package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
	"github.com/skainet-dev/skainet-go/internal/launch"
)

func TestNoProgram(t *testing.T) {
	err := serve(context.Background(), launch.Options{Device: "cpu"})
	require.Equal(t, launch.CodeDevice, errs.CodeOf(err))
}
