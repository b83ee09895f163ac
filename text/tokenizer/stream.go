package tokenizer

// Stream decodes ids as they come, with text only at the borders of characters.
// What it gives, put together, is what Decode gives for all ids, but for the space
// before the first word: Decode leaves it out where the tokenizer had put it in,
// whereas a Stream goes on from a text before it and keeps it.
type Stream struct {
	v       *vocabulary
	special bool
	first   bool
	held    []byte // at most three bytes, of a character that is not whole
}

// ShowSpecial makes the stream give control tokens too, as they are spelled.
func (s *Stream) ShowSpecial() *Stream { s.special = true; return s }

// Add returns the text that id completes; a character that may go on in the next
// token is held back. It fails with TOKENIZER_ID and is then unchanged.
func (s *Stream) Add(id int32) (string, error) {
	n := len(s.held)
	b, err := s.v.appendBytes(s.held, id, s.special, s.first)
	if err != nil {
		return "", err
	}
	s.first = s.first && len(b) == n
	text, rest := lossy(b, false)
	s.held = append([]byte(nil), rest...)
	return text, nil
}

// Flush returns the rest: a replacement character where a character is not whole.
func (s *Stream) Flush() string {
	text, _ := lossy(s.held, true)
	s.held = nil
	return text
}
