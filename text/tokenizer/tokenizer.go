// Package tokenizer turns text into a model's token ids, and ids into text.
//
// FromGGUF makes a tokenizer from the metadata of a GGUF file: SentencePiece, byte-level
// BPE and WordPiece, with the ids of llama.cpp. Load and Parse read a
// tokenizer.json of Hugging Face's tokenizers (byte-level BPE and BERT's WordPiece),
// BERT's vocab.txt, and CTranslate2's vocabulary.txt, told apart by content. The last
// has no merges and only decodes. Where <|notimestamps|> is the last token of a file,
// Whisper's 1501 timestamp tokens <|0.00|> to <|30.00|> are added after it, as the
// model has them.
//
// Tokens are pieces of UTF-8, so a character may be split over several: bytes are put
// together first and what is not UTF-8 then becomes U+FFFD, once for each longest
// broken sequence, as Rust and browsers do. Stream holds incomplete characters back.
// An added token is decoded as it is written, as llama.cpp does, unless the model makes
// it of bytes too; Hugging Face's decoder takes its letters for bytes.
//
// Encoding takes O(n log n), whatever the text. A byte for which a byte-level vocabulary
// has no token is dropped, unless the vocabulary has an unknown token, as in llama.cpp.
// Letters, digits and marks are those of Unicode 15.0 (unicode.Version); peers with
// another version differ on characters that are newer.
//
// # Errors
//
// Of a file: TOKENIZER_READ (it cannot be read), TOKENIZER_TOO_LARGE (over MaxBytes),
// TOKENIZER_SYNTAX (not JSON, a wrong type, not UTF-8), TOKENIZER_MODEL (another kind of
// tokenizer, or an unknown component), TOKENIZER_DUPLICATE (an id or a token
// twice), TOKENIZER_GAP (an id without a token), TOKENIZER_MISSING_KEY,
// TOKENIZER_BAD_VALUE (an invalid length, id or number), TOKENIZER_MERGE (one
// that names no token), TOKENIZER_PATTERN (a regular expression that cannot be used),
// TOKENIZER_WHISPER (a special token of Whisper is missing); they name a byte offset, a
// key or a field path. Of a text: TOKENIZER_UTF8 (with the byte offset),
// TOKENIZER_TOO_LARGE (over MaxText), TOKENIZER_DECODE_ONLY,
// TOKENIZER_PATTERN_COST (patterns or tokens of a file that take too long). Of ids:
// TOKENIZER_ID (outside the vocabulary).
//
// # Determinism
//
// Everything depends on the file's bytes, the text and the ids alone.
//
// # Untrusted input
//
// A file, and the tokens in a GGUF file together, have at most MaxBytes (64 MiB); memory
// stays within a small multiple of the file, whatever ids it claims; a tokenizer.json and a
// vocabulary.txt have at most 2^20 tokens. A tokenizer.json
// nests values 32 deep, has components of at most 1 MiB and 32 in a row, and puts at most
// 1024 tokens around a text. A pattern has at most 32 KiB, compiles to at most 4096
// instructions, runs at most 64 steps for each byte of a text, all parts that it is cut
// into together, and leaves at most 65536 ways open. Tokens that stand for themselves
// take at most 256 steps for each byte, pieces of words 64, however many there are and
// however alike they begin. A text has at most MaxText bytes (256 MiB), before and after
// the normaliser.
package tokenizer

import (
	"bytes"
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
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

	CodeMissingKey errs.Code = "TOKENIZER_MISSING_KEY"  // smallest input: metadata without tokenizer.ggml.model
	CodeBadValue   errs.Code = "TOKENIZER_BAD_VALUE"    // smallest input: a bos_token_id outside the vocabulary
	CodeMerge      errs.Code = "TOKENIZER_MERGE"        // smallest input: the merge "ab"
	CodePattern    errs.Code = "TOKENIZER_PATTERN"      // smallest input: a pre-tokeniser with the pattern "("
	CodeCost       errs.Code = "TOKENIZER_PATTERN_COST" // smallest input: (a|aa)+b on 30 "a"
	CodeUTF8       errs.Code = "TOKENIZER_UTF8"         // smallest input: the text "\xff"
	CodeDecodeOnly errs.Code = "TOKENIZER_DECODE_ONLY"  // smallest input: Encode with a vocabulary.txt
)

// Tokenizer turns text into ids and back. Implementations may be used by several
// goroutines at once.
type Tokenizer interface {
	// Encode turns text into ids. Special tokens spelled in the text, such as
	// <end_of_turn>, become those tokens. special adds the tokens that the model wants
	// around a text: BOS, or [CLS] and [SEP]. A chat template often has them itself.
	// It fails with TOKENIZER_UTF8, TOKENIZER_TOO_LARGE, TOKENIZER_DECODE_ONLY and
	// TOKENIZER_PATTERN_COST.
	Encode(text string, special bool) ([]int32, error)
	// EncodeWith is Encode with all options.
	EncodeWith(text string, o Options) ([]int32, error)
	// Controls returns where control tokens are spelled in the text, including
	// overlaps: the parts that must be Verbatim to match none of them.
	Controls(text string) []Span
	// Decode returns the text of ids, without control tokens; an id outside the
	// vocabulary is U+FFFD, while Text returns an error for it.
	Decode(ids []int32) string
	// Text returns the text of ids; special includes control tokens. It fails
	// with TOKENIZER_ID and TOKENIZER_TOO_LARGE.
	Text(ids []int32, special bool) (string, error)
	// Stream decodes piece by piece.
	Stream() *Stream
	// Size returns the number of ids; they are 0 to Size-1.
	Size() int
	// ID returns the id of the token that the file spells so.
	ID(token string) (int32, bool)
	// Token returns the spelling of id in the file.
	Token(id int32) (string, bool)
	// Special reports whether id is a control token, which stands for no text.
	Special(id int32) bool
	// Specials returns the special tokens, such as BOS, EOS and the stop tokens.
	Specials() Specials
}

// Options of an encoding.
type Options struct {
	// Around adds the tokens that the model wants around a text, such as BOS.
	Around bool
	// Literal treats control tokens that are spelled in the text as plain characters,
	// for untrusted text. User-defined tokens are still matched.
	Literal bool
	// Verbatim is Literal for parts of the text, in ascending order without overlap:
	// control tokens with a byte in one of them are not matched. Other tokens may
	// cross the borders of these parts.
	Verbatim []Span
}

// Span is the half-open range of bytes [Start, End) of a text.
type Span struct{ Start, End int }

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

// Parse reads a tokenizer from the bytes of a tokenizer.json of Hugging Face's
// tokenizers (byte-level BPE and BERT's WordPiece), which starts with "{" and a
// key, with optional space before either, or of a vocabulary.txt.
func Parse(data []byte) (Tokenizer, error) {
	if len(data) > MaxBytes {
		return nil, errs.New(CodeTooLarge, "more than %d bytes", MaxBytes).At(MaxBytes)
	}
	var v *vocabulary
	var err error
	if looksLikeJSON(data) {
		v, err = parseJSON(data)
	} else {
		lines := newVocab(len(data))
		if err = lines.parseLines(data); err == nil {
			v, err = fromLines(lines)
		}
	}
	if err != nil {
		return nil, err
	}
	return v, nil
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
