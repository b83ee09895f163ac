package iree

import "bytes"

// texts finds, in the bytes written to it, those that begin with a mark and go on until an
// end: what the compiler left in a program for messages and tools. A program need not be
// held in memory for it.
type texts struct {
	mark, end string
	most      int // longer ones are left out

	list []string // without the end, at most maxMembers
	rest []byte   // the end of the bytes so far, where a text may begin
}

// Write implements io.Writer.
func (t *texts) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	data := t.rest
	for {
		i := bytes.Index(data, []byte(t.mark))
		if i < 0 {
			data = data[max(0, len(data)-len(t.mark)+1):]
			break
		}
		data = data[i:]
		end := bytes.Index(data, []byte(t.end))
		if end < 0 && len(data) <= t.most {
			break
		}
		if end >= 0 && end <= t.most && len(t.list) < maxMembers {
			t.list = append(t.list, string(data[:end]))
		}
		data = data[len(t.mark):]
	}
	t.rest = append(t.rest[:0], data...)
	return len(p), nil
}
