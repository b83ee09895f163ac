// Package generate continues a text with a language model: a session holds the
// text and the part of it that is in the program's caches, and samples token by token,
// on the host or inside the program.
//
// # Programs
//
// A program has the entry points of lang/nn/causal, with R the positions that its
// caches hold and V the tokens of its vocabulary:
//
//	prefill(tokens i32 [n], start i32) -> f32 [1, V]
//	decode(token i32 [1]) -> f32 [1, V]
//	generate(tokens i32 [n], start, max_tokens, temperature, top_k, top_p, min_p,
//	         repeat_penalty, seed, stop i32 [m]) -> i32 [R], i32
//	logits(tokens i32 [n]) -> f32 [n, V]                     (for Perplexity only)
//
// Where start is named resume, the program cannot go back to an earlier position: it is 0
// or the end of the last call, and a session begins anew for any other text.
//
// A session belongs to one program and is its only user: two sessions side by side
// are two programs over the same mapped weights.
//
// # Errors
//
// The codes of this package are faults of the program, the settings or the text;
// errors of the program's backend are passed on. After an error, including
// cancellation, a session can be used again: its text is the old one and the tokens
// chosen so far.
//
// # Determinism
//
// The tokens depend on program, text, settings and seed. Prefilling in other chunks
// changes the last bits of logits, as does any change of the program.
package generate

import "github.com/skainet-dev/skainet-go/errs"

// The closed list of error codes.
const (
	CodeProgram  errs.Code = "GENERATE_PROGRAM"  // the program lacks an entry point, has another signature, or returns what cannot be
	CodeOptions  errs.Code = "GENERATE_OPTIONS"  // smallest input: a Chunk of -1
	CodeSampling errs.Code = "GENERATE_SAMPLING" // smallest input: a temperature of -1
	CodeLogits   errs.Code = "GENERATE_LOGITS"   // smallest input: no logits
	CodePrompt   errs.Code = "GENERATE_PROMPT"   // smallest input: a prompt without tokens
	CodeToken    errs.Code = "GENERATE_TOKEN"    // smallest input: the token -1
	CodeContext  errs.Code = "GENERATE_CONTEXT"  // a text of more tokens than the program's context holds
	CodeCanceled errs.Code = "GENERATE_CANCELED" // the caller's context ended between two steps
)
