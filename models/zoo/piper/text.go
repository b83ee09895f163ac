package piper

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodeEspeak is the code of a failure of espeak-ng, which turns text into phonemes.
const CodeEspeak errs.Code = "PIPER_ESPEAK" // smallest input: a machine without espeak-ng

// clause is a part of a sentence, without the mark behind it.
type clause struct {
	text string
	mark string // of Piper's alphabet
}

// marks are the characters that end a clause, as the model knows them.
var marks = map[rune]string{'.': ".", '!': "!", '?': "?", ',': ",", ';': ";", ':': ":", '…': ".", '。': ".", '！': "!", '？': "?", '，': ",", '；': ";", '：': ":", '、': ","}

// paragraphs are divided by empty lines.
var paragraphs = regexp.MustCompile(`\n[ \t\r]*\n`)

// sentences splits a text at empty lines, and at marks that a space, a closing quote or
// the end follows: 3.50 and 10:15 stay whole.
func sentences(text string) [][]clause {
	var all [][]clause
	for _, p := range paragraphs.Split(text, -1) {
		var one []clause
		for p != "" {
			words, mark, rest := head(p)
			if p = rest; strings.ContainsFunc(words, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
				one = append(one, clause{strings.TrimSpace(words), mark})
			}
			if len(one) > 0 && (p == "" || strings.Contains(".!?", mark)) {
				all, one = append(all, one), nil
			}
		}
	}
	return all
}

// head splits the first clause off a text.
func head(text string) (words, mark, rest string) {
	for i, c := range text {
		mark, is := marks[c]
		if !is {
			continue
		}
		rest = strings.TrimLeftFunc(text[i:], func(c rune) bool { return marks[c] != "" || strings.ContainsRune("\"'”’»)]", c) })
		next, _ := utf8.DecodeRuneInString(rest)
		if rest == "" || unicode.IsSpace(next) || c > 0x2fff { // no space follows in Chinese and Japanese
			return text[:i], mark, rest
		}
	}
	return text, "", ""
}

// Espeak is the program espeak-ng.
type Espeak struct {
	Program string // name or path; espeak-ng where it is empty
	Voice   string // such as en-us
}

// flags are marks of other languages in phonemes, such as (en)word(fr).
var flags = regexp.MustCompile(`\([^)]*\)`)

// Phonemes returns the sentences of a text as phonemes, with the marks between clauses.
func (e Espeak) Phonemes(ctx context.Context, text string) ([]string, error) {
	var all []string
	for _, s := range sentences(text) {
		var b strings.Builder
		for _, c := range s {
			said, err := e.say(ctx, c.text)
			if err != nil {
				return nil, err
			}
			b.WriteString(said + c.mark)
			if strings.Contains(",;:", c.mark) && c.mark != "" {
				b.WriteString(" ")
			}
		}
		if p := strings.TrimRight(b.String(), " "); p != "" {
			all = append(all, p)
		}
	}
	return all, nil
}

// say returns the phonemes of a clause.
func (e Espeak) say(ctx context.Context, text string) (string, error) {
	name := e.Program
	if name == "" {
		name = "espeak-ng"
	}
	cmd := exec.CommandContext(ctx, name, "-q", "-b", "1", "--ipa", "-v", e.Voice, "--stdin")
	cmd.Stdin = strings.NewReader(text)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return "", errs.Wrap(CodeEspeak, err, "espeak-ng, which turns text into phonemes, was not found").
			Hint("install it (apt-get install espeak-ng, dnf install espeak-ng, brew install espeak-ng), name it with --espeak, or give phonemes with --phonemes")
	case err != nil:
		return "", errs.Wrap(CodeEspeak, err, "%s does not speak %q: %s", name, e.Voice, strings.TrimSpace(stderr.String())).
			Hint("\"%s --voices\" lists what it speaks", name)
	}
	return strings.Join(strings.Fields(flags.ReplaceAllString(string(out), "")), " "), nil
}
