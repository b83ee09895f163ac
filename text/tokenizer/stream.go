package tokenizer

// Stream decodes ids as they arrive, and returns only whole characters. Its pieces
// concatenated are what Decode returns for all ids, except for the space before the
// first word: Decode drops it where the tokenizer had added it, while a Stream
// continues an earlier text and keeps it.
type Stream struct {
	v     *vocabulary
	first bool
	held  []byte // at most three bytes of an incomplete character
}

// Add returns the text that id completes; a character that may continue in the next
// token is held back. If it fails with TOKENIZER_ID, the stream is unchanged.
func (s *Stream) Add(id int32) (string, error) {
	n := len(s.held)
	b, err := s.v.appendBytes(s.held, id, false, s.first)
	if err != nil {
		return "", err
	}
	s.first = s.first && len(b) == n
	text, rest := lossy(b, false)
	s.held = append([]byte(nil), rest...)
	return text, nil
}

// Flush returns the rest: a replacement character if a character is incomplete.
func (s *Stream) Flush() string {
	text, _ := lossy(s.held, true)
	s.held = nil
	return text
}
