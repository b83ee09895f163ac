package talk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/gguf"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/generatetest"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
)

type test struct {
	*talker
	language       *textmodel.Language
	program        *generatetest.Program
	stdout, stderr bytes.Buffer
}

func talking(t *testing.T, o options, s generate.Options, more ...gguf.Pair) *test {
	t.Helper()
	x := &test{program: generatetest.New(t)}
	var err error
	x.language, err = textmodel.Open(generatetest.Weights(t, more...))
	require.NoError(t, err)
	session, err := generate.NewSession(x.program, s)
	require.NoError(t, err)
	model, err := textmodel.New(x.language, session, o.one)
	require.NoError(t, err)
	x.talker = &talker{options: o, model: model, chat: len(more) > 0 && !o.plain, together: o.one, stdout: &x.stdout, stderr: &x.stderr}
	return x
}

// run runs the command of a program without a model.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return command.Run(ctx, NewProgramCommand(&program.Parts{}), args, stdout, stderr)
}

func TestPrompt(t *testing.T) {
	want := generatetest.Continued([]int32{26, 0, 1}, 3)
	for _, one := range []bool{false, true} {
		x := talking(t, options{prompted: true, prompt: "ab", tokens: 3, json: true, one: one}, generate.Options{})
		require.NoError(t, x.run(context.Background(), nil))
		text := x.language.Tokens.Decode(want)
		lines := strings.Split(x.stdout.String(), "\n")
		require.Len(t, lines, 3)
		require.Equal(t, text, lines[0])
		require.Empty(t, lines[2])
		var f figures
		require.NoError(t, json.Unmarshal([]byte(lines[1]), &f))
		require.Equal(t, text, f.Text)
		require.Equal(t, want, f.Tokens)
		require.Equal(t, generate.Length, f.Reason)
		require.Equal(t, 3, f.Prompt)
		require.Equal(t, !one, f.First > 0 && f.PerToken > 0)
		require.Positive(t, f.Total)
		require.Contains(t, x.stderr.String(), "prompt of 3 tokens")
		require.Equal(t, one, strings.Contains(x.stderr.String(), "3 tokens in") && strings.Contains(x.stderr.String(), "in one call"))
		require.Equal(t, !one, strings.Contains(x.stderr.String(), "first token after") && strings.Contains(x.stderr.String(), "tokens/s"))
		require.Contains(t, x.stderr.String(), "ended by length")
	}
}

// Turns are read line by line, each with the conversation so far before it.
func TestTurns(t *testing.T) {
	x := talking(t, options{tokens: 1, system: "s"}, generate.Options{},
		generatetest.Template("{% for m in messages %}{{ m.role[0] }}{{ m.content }}{% endfor %}z"))
	var turns []string
	x.program.Before = func(string) error {
		turns = append(turns, "")
		return nil
	}
	require.NoError(t, x.run(context.Background(), strings.NewReader("a\n\n  \nb\n")))
	first := generatetest.Continued([]int32{26, 18, 18, 20, 0, 25}, 1) // <s> "ss" "ua" "z"
	answer := x.language.Tokens.Decode(first)
	text, err := x.language.Tokens.Encode("ssua"+"a"+answer+"ubz", true)
	require.NoError(t, err)
	require.Equal(t, text, x.program.Cache)
	require.Len(t, turns, 2)
	require.Equal(t, 2, strings.Count(x.stdout.String(), "\n"))
	require.Len(t, x.turns, 5)
}

// Without a template each line is a separate text.
func TestLines(t *testing.T) {
	x := talking(t, options{tokens: 1}, generate.Options{})
	require.NoError(t, x.run(context.Background(), strings.NewReader("a\nb")))
	require.Equal(t, []int32{26, 1}, x.program.Cache)
	require.Equal(t, 2, strings.Count(x.stdout.String(), "\n"))
}

func TestSlidesAreReported(t *testing.T) {
	x := talking(t, options{prompted: true, prompt: "ab", tokens: 24, sampling: generate.Sampling{Temperature: 1, TopK: 20, Seed: 6}}, generate.Options{Slide: true})
	require.NoError(t, x.run(context.Background(), nil))
	require.Contains(t, x.stderr.String(), "ended by length, the context was full 2 times and the oldest tokens were dropped")
}

// A prompt longer than the context loses the part after its beginning, which
// is reported.
func TestCutPromptsAreReported(t *testing.T) {
	x := talking(t, options{prompted: true, prompt: strings.Repeat("a", 20), tokens: 1, json: true}, generate.Options{Slide: true})
	require.NoError(t, x.run(context.Background(), nil))
	require.Contains(t, x.stderr.String(), "prompt of 21 tokens, longer than the context: 13 of the oldest tokens after the first were dropped")
	require.Contains(t, x.stdout.String(), `"prompt_tokens":21,"cut_tokens":13,`)
}

// A line without an answer is reported, and the following ones are answered.
func TestBadLines(t *testing.T) {
	input := "a\n" + strings.Repeat("a", 17) + "\n\xff\nb\r\n" + strings.Repeat("c", maxLine+5000) + "\nc"
	x := talking(t, options{tokens: 1, json: true}, generate.Options{})
	err := x.run(context.Background(), strings.NewReader(input))
	require.Equal(t, errs.Code("CHAT_UNANSWERED"), errs.CodeOf(err))
	require.ErrorContains(t, err, "3 lines")
	for _, code := range []string{"GENERATE_CONTEXT", "TOKENIZER_UTF8", "CHAT_LINE: a line of more"} {
		require.Contains(t, x.stderr.String(), "\nchat: "+code)
	}
	var errors []bool
	for line := range strings.Lines(x.stdout.String()) {
		var f figures
		if json.Unmarshal([]byte(line), &f) == nil {
			errors = append(errors, f.Error != "")
			require.NotNil(t, f.Tokens)
		}
	}
	require.Equal(t, []bool{false, true, true, false, true, false}, errors)
	require.Equal(t, []int32{26, 2}, x.program.Cache, "<s>c")

	// At a terminal the user has seen it.
	x = talking(t, options{tokens: 1}, generate.Options{})
	require.NoError(t, x.lines(context.Background(), strings.NewReader("\xff\na\n"), true))
	require.Equal(t, 3, strings.Count(x.stderr.String(), "> "))
	require.Equal(t, []int32{26, 0}, x.program.Cache)

	// After an error in the middle of an answer the figures are printed once.
	x = talking(t, options{tokens: 4, json: true}, generate.Options{})
	x.program.Broken = 3
	require.Error(t, x.run(context.Background(), strings.NewReader("ab\n")))
	require.Equal(t, 1, strings.Count(x.stdout.String(), `"reason":"error"`))
	require.Contains(t, x.stdout.String(), `"error":"GENERATE_LOGITS`)
}

// Text written before an error stays, with its figures.
func TestCanceled(t *testing.T) {
	x := talking(t, options{prompted: true, prompt: "ab", json: true}, generate.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	x.program.Before = func(string) error {
		if calls++; calls == 3 {
			cancel()
		}
		return nil
	}
	err := x.run(ctx, nil)
	require.Equal(t, generate.CodeCanceled, errs.CodeOf(err))
	require.Contains(t, x.stdout.String(), `"reason":"canceled"`)
	require.Contains(t, x.stderr.String(), "3 tokens in")
}

func TestFaults(t *testing.T) {
	ctx := context.Background()
	x := talking(t, options{system: "s"}, generate.Options{})
	err := x.run(ctx, strings.NewReader("a"))
	require.Equal(t, errs.Code("CHAT_FLAGS"), errs.CodeOf(err))
	require.ErrorContains(t, err, "the model has no chat template")
	x = talking(t, options{system: "s", plain: true}, generate.Options{}, generatetest.Template("x"))
	require.ErrorContains(t, x.run(ctx, strings.NewReader("a")), "CHAT_FLAGS: --system needs a chat template, and --plain uses none")
	x = talking(t, options{prompted: true}, generate.Options{})
	require.Equal(t, generate.CodePrompt, errs.CodeOf(x.run(ctx, nil)))
	require.Empty(t, x.stdout.String())
	x = talking(t, options{}, generate.Options{})
	require.Equal(t, errs.Code("CHAT_INPUT"), errs.CodeOf(x.run(ctx, iotest.ErrReader(errors.New("gone")))))
	require.Equal(t, generate.CodePrompt, errs.CodeOf(talking(t, options{prompted: true}, generate.Options{}, generatetest.Template("x")).run(ctx, nil)))

	x = talking(t, options{prompted: true, prompt: "a", tokens: 1}, generate.Options{})
	x.talker.stdout = broken{}
	require.Equal(t, errs.Code("FILE_WRITE"), errs.CodeOf(x.run(ctx, nil)))
	require.Equal(t, errs.Code("FILE_WRITE"), errs.CodeOf(x.report(figures{})))
	require.Equal(t, errs.Code("FILE_WRITE"), errs.CodeOf(x.lines(ctx, strings.NewReader("a\nb"), false)))
	x.options.json = true
	require.Equal(t, errs.Code("FILE_WRITE"), errs.CodeOf(x.lines(ctx, strings.NewReader("\xff\nb"), false)))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A template prints the date of --date, by default the current one.
func TestDate(t *testing.T) {
	const template = "{% if strftime_now('%Y-%m-%d %H:%M:%S') == '2026-07-05 00:00:00' %}a{% else %}b{% endif %}{{ messages[0].content }}"
	for date, want := range map[string]int32{"2026-07-05": 0, "2026-07-05T00:00:00": 0, "2026-07-05T00:00:01": 1, "": 1} {
		o := options{prompted: true, prompt: "c", tokens: 1, json: true, date: date}
		x := talking(t, o, generate.Options{}, generatetest.Template(template))
		at, err := o.at()
		require.NoError(t, err)
		x.language.Date = at
		require.NoError(t, x.run(context.Background(), nil))
		var f figures
		require.NoError(t, json.Unmarshal([]byte(strings.Split(x.stdout.String(), "\n")[1]), &f))
		require.Equal(t, generatetest.Continued([]int32{26, want, 2}, 1), f.Tokens, date)
		if date == "" {
			require.WithinDuration(t, time.Now(), at, time.Minute)
		}
	}
}

// A test has no parts of a program next to it, so each run ends with an error.
func TestRun(t *testing.T) {
	weights := generatetest.Weights(t)
	for name, tt := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"unknown flag":    {[]string{"--loud"}, 2, "unknown flag: --loud"},
		"arguments":       {[]string{"hello", "you"}, 2, "USAGE"},
		"no such file":    {[]string{filepath.Join(t.TempDir(), "none.gguf")}, 1, "FILE_OPEN"},
		"no tensors":      {[]string{weights}, 1, `CAUSAL_ARCHITECTURE: ` + weights + `: general.architecture: the file is of architecture "small"`},
		"context of none": {[]string{"--context=64"}, 1, "CHAT_FLAGS: --context=64"},
		"full":            {[]string{"--full=x"}, 1, "CHAT_FLAGS: --full=x"},
		"slide, one call": {[]string{"--full=slide", "--one-call"}, 1, "CHAT_FLAGS: --full=slide and --one-call"},
		"tokens":          {[]string{"--tokens=-1"}, 1, "CHAT_FLAGS: --tokens=-1"},
		"date":            {[]string{"--date=26.7.2026"}, 1, "CHAT_FLAGS: --date=26.7.2026"},
		"temperature":     {[]string{"--temperature=-1"}, 1, "GENERATE_SAMPLING: temperature"},
		"no tokenizer":    {nil, 1, "LAUNCH_RUNFILES: the tokenizer"},
		"other file":      {[]string{"--tokenizer=" + t.TempDir()}, 1, "FILE_OPEN"},
		"no program":      {[]string{"--tokenizer=" + weights}, 1, "LAUNCH_DEVICE"},
		"unknown device":  {[]string{"--tokenizer=" + weights, "--device=npu"}, 1, "LAUNCH_DEVICE"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, tt.status, run(context.Background(), tt.args, &stdout, &stderr), stderr.String())
			require.Empty(t, stdout.String())
			require.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
			require.True(t, strings.HasPrefix(stderr.String(), "chat: "), stderr.String())
			require.Contains(t, stderr.String(), tt.want)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	require.Equal(t, 130, run(ctx, nil, &stdout, &stderr))
	require.Zero(t, run(context.Background(), []string{"--help"}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "chat [FILE.gguf] [flags]")
}
