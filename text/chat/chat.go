// Package chat turns a conversation into the text that a model was trained on, by
// the chat template of its weights: GGUF's tokenizer.chat_template, in Jinja.
//
// Jinja is rendered by github.com/ardanlabs/jinja, which keeps to the settings that
// Hugging Face's tokenizers give Python's Jinja (trim_blocks and lstrip_blocks). What
// Python's makes of templates of the forms in use is the test.
//
// # Errors
//
// CHAT_TEMPLATE for a template that is no Jinja, or too long; CHAT_RENDER where a
// template refuses a conversation, as those do that want user and assistant to
// alternate, fails, or takes too long, and where what messages spell cannot be told
// from what the template says.
//
// # Determinism
//
// The text depends on the template and the messages only: templates are told no
// date, so that those which print one print the date they have for that case.
//
// # Untrusted input
//
// A template is a program out of a weight file. It has at most MaxTemplate bytes
// (256 KiB) and no way to files or to the network, counts to MaxRange (65536) at
// most in one range, and is given up after MaxTime (10 s); what it still computes
// then goes on in the background, since the library cannot be stopped. The memory
// that it takes is not bounded: of a file that you do not trust, render no template.
package chat

import (
	"time"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Limits on a template.
const (
	MaxTemplate = 256 << 10
	MaxRange    = 1 << 16
	MaxTime     = 10 * time.Second
)

// The closed list of error codes.
const (
	CodeTemplate errs.Code = "CHAT_TEMPLATE" // smallest input: {%
	CodeRender   errs.Code = "CHAT_RENDER"   // smallest input: {{ raise_exception('no') }}
)

// Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // "system", "user", "assistant", or what a template knows besides
	Content string `json:"content"`
}

// Settings of a rendering.
type Settings struct {
	BOS, EOS string // spelling of the tokens that begin and end a text
	// Continue ends the text where the assistant's next turn begins.
	Continue bool
}
