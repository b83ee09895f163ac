// Package chat turns a conversation into the text that a model was trained on, by
// the chat template of its weights: GGUF's tokenizer.chat_template, in Jinja.
//
// Jinja is rendered by package jinja like Python's Jinja in Hugging Face's tokenizers.
// It is tested against Python's output for templates in use.
//
// # Errors
//
// CHAT_TEMPLATE for a template that is not Jinja, or too long; CHAT_RENDER where a
// template rejects a conversation, as some do unless user and assistant alternate,
// fails, or costs too much (the cause is then a JINJA_* error with the line), and if
// tokens spelled in messages cannot be told apart from the template's own.
//
// # Determinism
//
// The text depends only on the template, the messages and the settings. Some templates
// print the date; it is today's, unless Settings.Date fixes it.
//
// # Untrusted input
//
// A template is a program from a weight file. It has at most MaxTemplate bytes
// (256 KiB) and no access to files or the network. It may take MaxSteps steps (2^22)
// and create or read BytesBase (64 MiB) plus BytesEach (64) times the bytes of template
// and conversation, including temporary values; calls nest at most 400 deep.
package chat

import (
	"time"

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
	Role    string `json:"role"` // "system", "user", "assistant", or another role that the template knows
	Content string `json:"content"`
}

// Settings configures a rendering.
type Settings struct {
	BOS, EOS string // spelling of the tokens that begin and end a text
	// Continue ends the text where the assistant's next turn begins.
	Continue bool
	// Date is the date and time for templates that print it with strftime_now. The zero
	// time is the current local one.
	Date time.Time
}

// dated returns s with a date that stays the same.
func (s Settings) dated() Settings {
	if s.Date.IsZero() {
		s.Date = time.Now()
	}
	return s
}
