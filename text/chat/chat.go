// Package chat turns a conversation into the text that a model was trained on, by
// the chat template of its weights: GGUF's tokenizer.chat_template, in Jinja.
//
// Jinja is rendered by package jinja as Hugging Face's tokenizers have Python's render
// it. What Python's makes of templates of the forms in use is the test.
//
// # Errors
//
// CHAT_TEMPLATE for a template that is not Jinja, or too long; CHAT_RENDER where a
// template refuses a conversation, as those do that want user and assistant to
// alternate, fails, or costs too much (the cause is then a JINJA_* error with the line),
// and where what messages spell cannot be told from what the template says.
//
// # Determinism
//
// The text depends on the template and the messages only: templates are told no
// date, so that those which print one print the date they have for that case.
//
// # Untrusted input
//
// A template is a program out of a weight file. It has at most MaxTemplate bytes
// (256 KiB) and no way to files or to the network. It may take MaxSteps steps (2^22),
// and make or look at BytesBase (64 MiB) and BytesEach (64) times the bytes of template
// and conversation, all that it throws away again among it; its calls nest 400 deep.
package chat

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/text/chat/jinja"
)

// Limits on a template.
const (
	MaxTemplate = jinja.MaxSource
	MaxSteps    = 1 << 22
	BytesBase   = 64 << 20
	BytesEach   = 64
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
