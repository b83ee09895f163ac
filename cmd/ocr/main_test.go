package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/models/zoo/ocr"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/vision/picture"
)

var found = []ocr.Line{
	{Box: picture.Quad{{X: 1, Y: 2}, {X: 30, Y: 2}, {X: 30, Y: 12}, {X: 1, Y: 12}}, Text: "a <b>", Score: 0.987},
	{Box: picture.Quad{{X: 1, Y: 22}, {X: 30, Y: 22}, {X: 30, Y: 32}, {X: 1, Y: 32}}, Text: "c", Score: 0.5},
}

func TestShow(t *testing.T) {
	for _, c := range []struct {
		o     options
		lines []ocr.Line
		want  string
	}{
		{options{}, found, "1,2 30,2 30,12 1,12  0.99  a <b>\n1,22 30,22 30,32 1,32  0.50  c\n"},
		{options{text: true}, found, "a <b>\nc\n"},
		{options{}, nil, ""},
		{options{json: true}, nil, "{\n  \"lines\": []\n}\n"},
	} {
		var b bytes.Buffer
		require.NoError(t, show(&b, c.o, c.lines))
		require.Equal(t, c.want, b.String())
	}
	var b bytes.Buffer
	require.NoError(t, show(&b, options{json: true}, found))
	require.Contains(t, b.String(), `"text": "a <b>"`)
	require.Contains(t, b.String(), `"score": 0.987`)
	require.ErrorContains(t, show(broken{}, options{}, found), "FILE_WRITE")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.png")
	require.NoError(t, mark(path, picture.New(40, 40), found))
	p, err := picture.ReadFile(path)
	require.NoError(t, err)
	require.NotEqual(t, picture.New(40, 40), p)
	require.ErrorContains(t, mark(filepath.Join(path, "m.png"), picture.New(40, 40), found), "FILE_WRITE")
}

// A test has no programs next to it: //models/zoo/ocr/e2e tests successful runs.
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
		"both formats":  {[]string{"--text", "--json", blank}, 2, "text"},
		"missing":       {[]string{filepath.Join(dir, "none.png")}, 1, "PICTURE_READ"},
		"not a picture": {[]string{notes}, 1, "PICTURE_READ: " + notes},
		"no program":    {[]string{blank}, 1, "LAUNCH_"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.status, command.Run(context.Background(), newCommand(), c.args, &stdout, &stderr), name)
		require.Contains(t, stderr.String(), c.says, name)
		require.Empty(t, stdout.String())
	}
}
