//go:build !((darwin || freebsd || linux || netbsd || windows) && !android)

package ireert

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestLibrariesAreNotLoaded(t *testing.T) {
	_, err := Load("./libireert.so")
	require.Equal(t, CodeLoad, errs.CodeOf(err))
	require.ErrorContains(t, err, "a program for "+runtime.GOOS+" cannot load libraries")
	require.ErrorContains(t, err, "use the CPU backend here")
}
