//go:build integration

package main

import (
	"context"
	"encoding/csv"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale/pixels"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// runfile returns the path of the file that the BUILD file names.
func runfile(t *testing.T, variable string) string {
	t.Helper()
	require.NotEmpty(t, os.Getenv(variable), "the BUILD file sets %s", variable)
	path, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err)
	return path
}

func levels(t *testing.T, path string) []uint8 {
	t.Helper()
	v, err := npy.ReadFile(path)
	require.NoError(t, err)
	b, err := tensor.Slice[uint8](v)
	require.NoError(t, err)
	return b
}

// The built program gives Pillow's levels on 2000 pixels: both use
// integers with the same weights, so there is no tolerance.
func TestAgainstPillow(t *testing.T) {
	rgb, gray := levels(t, runfile(t, "RGB")), levels(t, runfile(t, "GRAY"))
	f, err := os.Open("../testdata/gray.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2001)
	for _, row := range rows[1:] {
		var n [6]int // y, x, red, green, blue, gray
		for i, s := range row {
			n[i], err = strconv.Atoi(s)
			require.NoError(t, err)
		}
		at := n[0]*grayscale.Width + n[1]
		for c := range 3 {
			require.Equal(t, n[2+c], int(rgb[3*at+c]), "colour %d of pixel %v is decoded as when gray.csv was generated", c, n[:2])
		}
		require.Equal(t, n[5], int(gray[at]), "gray of pixel %v", n[:2])
	}
}

// The command writes as PNG what the build's run wrote as .npy.
func TestPicture(t *testing.T) {
	parts(t)
	out := filepath.Join(t.TempDir(), "out.png")
	require.NoError(t, run(context.Background(), runfile(t, "PICTURE"), out))
	f, err := os.Open(out)
	require.NoError(t, err)
	defer f.Close()
	m, err := png.Decode(f)
	require.NoError(t, err)
	g, ok := m.(*image.Gray)
	require.True(t, ok, "%T", m)
	require.Equal(t, image.Rect(0, 0, grayscale.Width, grayscale.Height), g.Rect)
	if diff := cmp.Diff(levels(t, runfile(t, "GRAY")), g.Pix); diff != "" {
		t.Error(diff)
	}
}

func TestPictureRefuses(t *testing.T) {
	parts(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "out.png")
	require.Equal(t, pixels.CodeDecode, errs.CodeOf(run(context.Background(), runfile(t, "GRAY"), out)))
	require.Equal(t, errs.Code("FILE_WRITE"), errs.CodeOf(run(context.Background(), runfile(t, "PICTURE"), filepath.Join(dir, "none", "out.png"))))
	programFile = "none/of/this"
	require.Equal(t, errs.Code("PICTURE_RUNFILES"), errs.CodeOf(run(context.Background(), runfile(t, "PICTURE"), out)))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// parts names the program's parts as the BUILD file does for the command.
func parts(t *testing.T) {
	programFile, contractFile = os.Getenv("PROGRAM"), os.Getenv("CONTRACT")
	libraryFile, toolFile = os.Getenv("LIBRARY"), os.Getenv("TOOL")
	require.NotEmpty(t, programFile)
}
