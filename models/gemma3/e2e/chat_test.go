//go:build integration

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/test/reference"
	"github.com/skainet-dev/skainet-go/text/generate"
)

// answer is the last line that chat --json prints.
type answer struct {
	Text   string  `json:"text"`
	Tokens []int32 `json:"tokens"`
	Reason string  `json:"reason"`
	Prompt int     `json:"prompt_tokens"`
}

// run starts a program of the model like bazel run.
func run(t *testing.T, variable, stdin string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.Command(reference.Path(t, variable), args...)
	env, e := runfiles.Env()
	require.NoError(t, e)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// chat returns the answer to a prompt; the text before the last line is the same.
func chat(t *testing.T, prompt string, args ...string) answer {
	t.Helper()
	out, errs, err := run(t, "CHAT", "", append([]string{"--json", "--prompt", prompt}, args...)...)
	require.NoError(t, err, errs)
	text, line, ok := cutLast(strings.TrimSuffix(out, "\n"))
	require.True(t, ok, out)
	var a answer
	require.NoError(t, json.Unmarshal([]byte(line), &a))
	require.Equal(t, text, a.Text)
	return a
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, '\n')
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+1:], true
}

const france = "The capital of France is"

// The tokens are those of the f32 reference, however they are chosen: token by
// token, by the program in one call, and by a separate process.
func TestChatSaysWhatIsKnown(t *testing.T) {
	for name, args := range map[string][]string{
		"steps on one thread": {"--threads=1"},
		"steps":               {},
		"one call":            {"--one-call"},
		"tool":                {"--tool=" + reference.Path(t, "TOOL")},
	} {
		t.Run(name, func(t *testing.T) {
			a := chat(t, france, append(args, "--tokens="+strconv.Itoa(len(known)))...)
			require.Equal(t, known, a.Tokens)
			require.Equal(t, " the capital of the country of France. It is the largest city in France", a.Text)
			require.Equal(t, len(prompt), a.Prompt)
			require.Equal(t, "length", a.Reason)
		})
	}
}

// Samples in steps and in one call agree, and depend on the seed.
func TestChatDraws(t *testing.T) {
	args := []string{"--tokens=24", "--temperature=1", "--repeat-penalty=1.2"}
	steps := chat(t, france, append(args, "--seed=18446744073709551615")...)
	require.Equal(t, steps.Tokens, chat(t, france, append(args, "--seed=18446744073709551615", "--one-call")...).Tokens)
	require.NotEqual(t, steps.Tokens, chat(t, france, append(args, "--seed=1")...).Tokens)
}

// Lines of standard input are separate texts: this model has no template.
func TestChatReadsLines(t *testing.T) {
	out, errs, err := run(t, "CHAT", france+"\n\nЗдравствуйте, 世界\n", "--json", "--tokens=3")
	require.NoError(t, err, errs)
	require.Contains(t, out, `"tokens":[506,5279,529]`)
	require.Equal(t, 2, strings.Count(errs, "ended by length"))
}

func TestChatRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"GENERATE_PROMPT: the prompt is empty": {"--prompt="},
		"TOKENIZER_UTF8":                       {"--prompt=a\xffb"},
		"GENERATE_CONTEXT: a text of":          {"--prompt=" + strings.Repeat("word ", 3000)},
		"CHAT_FLAGS: --system needs a chat":    {"--prompt=a", "--system=b"},
		"CHAT_FLAGS: --full=slide without":     {"--prompt=a", "--full=slide", "--tool=" + reference.Path(t, "TOOL")},
		"IREE_NO_DEVICE":                       {"--prompt=a", "--device=local-nothing"},
	} {
		out, errs, err := run(t, "CHAT", "", args...)
		require.Error(t, err)
		require.Empty(t, out)
		require.Contains(t, errs, want)
	}
}

// llama.cpp's perplexity tool splits texts into windows differently; this test
// checks that a text is more likely than the same words shuffled, and that small
// windows do not make it much less likely: windows of 12 tokens without <bos> gave
// 4.5 nats per token, with it they give 2.9, and one window gives 2.1.
func TestPerplexity(t *testing.T) {
	measure := func(text string, window int) float64 {
		file := t.TempDir() + "/text"
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		out, errs, err := run(t, "PERPLEXITY", "", "--json", "--window="+strconv.Itoa(window), file)
		require.NoError(t, err, errs)
		var p struct {
			Tokens int
			Nats   float64 `json:"nats_per_token"`
		}
		require.NoError(t, json.Unmarshal([]byte(out), &p))
		require.Greater(t, p.Tokens, 20)
		return p.Nats
	}
	const austen = "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife."
	right := measure(austen, 256)
	wrong := measure("Wife a of want in be must, fortune good a of possession in man single a that, acknowledged universally truth a is it.", 256)
	require.Less(t, right, 3.0)
	require.Greater(t, wrong, right+1)
	require.Less(t, measure(austen, 12), right+2)
}

// Two sessions of one process share the weights: they are pages of the archive.
// Each has its own caches of 36 MiB.
func TestTwoSessionsShareTheWeights(t *testing.T) {
	generateOn := func() *generate.Session {
		s, err := generate.NewSession(reference.Program(t, "PROGRAM_CPU", "local-sync", 0), generate.Options{})
		require.NoError(t, err)
		require.NoError(t, s.Set(prompt))
		r, err := s.Generate(context.Background(), generate.Request{Tokens: 4})
		require.NoError(t, err)
		require.Equal(t, known[:4], r.Tokens)
		return s
	}
	a := generateOn()
	one := own(t)
	b := generateOn()
	two := own(t)
	t.Logf("own memory with one session %d MiB, with two %d MiB", one, two)
	require.Less(t, two-one, int64(100), "the weights are 235 MiB")

	// Interleaved, each continues its own text.
	results := make(chan []int32)
	for _, s := range []*generate.Session{a, b} {
		go func() {
			r, err := s.Generate(context.Background(), generate.Request{Tokens: 8})
			if err != nil {
				t.Error(err)
			}
			results <- r.Tokens
		}()
	}
	for range 2 {
		require.Equal(t, known[4:12], <-results)
	}
}

// own returns the process's anonymous memory in MiB, which would include a copy
// of the weights. Pages of the archive do not count, since other processes map
// it too, and the system can reclaim them.
func own(t *testing.T) int64 {
	t.Helper()
	b, err := os.ReadFile("/proc/self/smaps_rollup")
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "Anonymous:" {
			n, err := strconv.ParseInt(f[1], 10, 64)
			require.NoError(t, err)
			return n >> 10
		}
	}
	t.Fatal("no line Anonymous")
	return 0
}
