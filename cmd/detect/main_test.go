package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/vision/box"
	"github.com/skainet-dev/skainet-go/vision/picture"
)

var found = []box.Box{{X0: 5.3, Y0: 15.8, X1: 30, Y1: 35, Score: 0.84, Class: 0}, {X0: 8, Y0: 18, X1: 12, Y1: 25, Score: 0.5, Class: 9}}

func TestShow(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, show(&b, false, found))
	require.Equal(t, "person         0.84  5,16 30,35\ntraffic light  0.50  8,18 12,25\n", b.String())
	b.Reset()
	require.NoError(t, show(&b, true, found))
	var got struct{ Objects []object }
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, object{"traffic light", 0.5, [4]float64{8, 18, 12, 25}}, got.Objects[1])
	b.Reset()
	require.NoError(t, show(&b, true, nil))
	require.Equal(t, "{\n  \"objects\": []\n}\n", b.String())
	require.ErrorContains(t, show(broken{}, false, found), "FILE_WRITE")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.png")
	require.NoError(t, mark(path, picture.New(40, 40), found))
	p, err := picture.ReadFile(path)
	require.NoError(t, err)
	require.NotEqual(t, picture.New(40, 40), p)
}

// A test has no program next to it: //models/zoo/e2e tests successful runs.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	notes, blank := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "blank.png")
	require.NoError(t, os.WriteFile(notes, []byte("notes"), 0o600))
	require.NoError(t, picture.WritePNG(blank, picture.New(40, 40).Image()))
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"no picture":    {nil, 2, "accepts 1 arg(s)"},
		"no limit":      {[]string{"--least=NaN", blank}, 1, "DETECT_LEAST"},
		"not a picture": {[]string{notes}, 1, "PICTURE_READ: " + notes},
		"no program":    {[]string{blank}, 1, "LAUNCH_"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.status, command.Run(context.Background(), newCommand(), c.args, &stdout, &stderr), name)
		require.Contains(t, stderr.String(), c.says, name)
		require.Empty(t, stdout.String())
	}
}
