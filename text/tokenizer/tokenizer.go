// Package tokenizer turns a model's token ids into text.
//
// It reads byte-level BPE vocabularies as Whisper and GPT-2 have them, from a
// Hugging Face tokenizer.json or from CTranslate2's vocabulary.txt (one token a line),
// told apart by content. Tokens are pieces of UTF-8, so a character may be split over
// several: bytes are put together first and what is no UTF-8 then becomes U+FFFD, once
// for each longest broken sequence, as Rust and browsers do. Where
// <|notimestamps|> is the last token of the file, Whisper's 1501 timestamp tokens
// <|0.00|> to <|30.00|> are added behind it, as the model has them.
//
// # Errors
//
// TOKENIZER_READ (the file cannot be read), TOKENIZER_TOO_LARGE (over MaxBytes),
// TOKENIZER_SYNTAX (no JSON, a wrong type, no UTF-8), TOKENIZER_MODEL (another kind of
// tokenizer), TOKENIZER_DUPLICATE (an id or a token twice), TOKENIZER_GAP (an id
// without a token), TOKENIZER_ID (an id outside the vocabulary), TOKENIZER_WHISPER
// (a special token of Whisper is missing). Those of a file name a byte offset or a
// field path.
//
// # Determinism
//
// Everything depends on the file's bytes and the ids alone.
//
// # Untrusted input
//
// A file has at most MaxBytes (64 MiB); memory stays within a small multiple of
// the file, whatever ids it claims. Decoded text has at most MaxText bytes (256 MiB).
package tokenizer

import (
	"bytes"
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Limits on files and texts, in bytes.
const (
	MaxBytes = 64 << 20
	MaxText  = 256 << 20
)

// The closed list of error codes.
const (
	CodeRead      errs.Code = "TOKENIZER_READ"      // smallest input: a path that does not exist
	CodeTooLarge  errs.Code = "TOKENIZER_TOO_LARGE" // smallest input: 64 MiB and a byte
	CodeSyntax    errs.Code = "TOKENIZER_SYNTAX"    // smallest input: the empty file
	CodeModel     errs.Code = "TOKENIZER_MODEL"     // smallest input: {}
	CodeDuplicate errs.Code = "TOKENIZER_DUPLICATE" // smallest input: the lines "a" and "a"
	CodeGap       errs.Code = "TOKENIZER_GAP"       // smallest input: a vocabulary {"a": 1}
	CodeID        errs.Code = "TOKENIZER_ID"        // smallest input: the id -1
	CodeWhisper   errs.Code = "TOKENIZER_WHISPER"   // smallest input: any tokenizer but Whisper's
)

// Tokenizer maps ids to text. Implementations may be used by several goroutines
// at once.
type Tokenizer interface {
	// Size gives the number of ids; they are 0 to Size-1.
	Size() int
	// Decode gives the text of ids; skipSpecial leaves special tokens out.
	// It fails with TOKENIZER_ID.
	Decode(ids []int32, skipSpecial bool) (string, error)
	// Stream decodes piece by piece.
	Stream(skipSpecial bool) Stream
	// ID gives the id of the token that the file spells so.
	ID(token string) (int32, bool)
	// Token gives the spelling of id in the file.
	Token(id int32) (string, bool)
	// Special tells whether id is a control token and no text.
	Special(id int32) bool
}

// Stream decodes ids as they come. Its pieces, put together, are what Decode
// gives for all ids.
type Stream interface {
	// Add gives the text that id completes; a character that may go on in the next
	// token is held back. It fails with TOKENIZER_ID and is then unchanged.
	Add(id int32) (string, error)
	// Flush gives the rest.
	Flush() string
}

// Load reads the tokenizer in the file at path; errors name that path.
func Load(path string) (Tokenizer, error) {
	// Before it is opened: opening a pipe would wait for a writer.
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, errs.New(CodeRead, "not a regular file but %s", atomicfile.Kind(st.Mode())).In(path).Hint("name the file itself")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot open the tokenizer").In(path)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot read the tokenizer").In(path)
	}
	t, err := Parse(data)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	return t, nil
}

// Parse reads a tokenizer from the bytes of a tokenizer.json, which starts with
// "{" after optional space and goes on with a key, or of a vocabulary.txt.
func Parse(data []byte) (Tokenizer, error) {
	if len(data) > MaxBytes {
		return nil, errs.New(CodeTooLarge, "more than %d bytes", MaxBytes).At(MaxBytes)
	}
	v := newVocab(len(data))
	var err error
	if looksLikeJSON(data) {
		err = v.parseJSON(data)
	} else {
		err = v.parseLines(data)
	}
	if err != nil {
		return nil, err
	}
	return v.build()
}

// looksLikeJSON: a vocabulary may well have "{" as its first token, but then a
// line end follows and no key.
func looksLikeJSON(data []byte) bool {
	rest := bytes.TrimLeft(data, " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' {
		return false
	}
	rest = bytes.TrimLeft(rest[1:], " \t\r\n")
	return len(rest) == 0 || rest[0] == '"' || rest[0] == '}'
}
