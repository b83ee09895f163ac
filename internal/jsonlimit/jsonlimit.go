// Package jsonlimit bounds what a JSON document may hold before it is read. An element
// of two bytes can become a value of a hundred in memory, so that a limit on the bytes
// of a document alone does not limit its memory.
//
// # Errors
//
// None: callers name the document. A document that is not JSON may pass; whoever reads
// it then finds that.
//
// # Determinism
//
// The answer depends on the bytes alone.
//
// # Untrusted input
//
// It reads each byte once and allocates nothing.
package jsonlimit

// Exceeds returns the offset at which data nests values deeper than depth, or has more
// values than allowed, or -1. A key counts as a part of its value.
func Exceeds(data []byte, depth, values int) int {
	open, n := 0, 1
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = behindString(data, i) - 1
		case '[', '{':
			open++
			n++ // its first value, if it has one
		case ']', '}':
			open--
		case ',':
			n++
		}
		if open > depth || n > values {
			return min(i, len(data)-1)
		}
	}
	return -1
}

// Elements returns the number of elements of an array, or 1 for the empty one.
func Elements(array []byte) int {
	n, depth := 1, 0
	for i := 0; i < len(array); i++ {
		switch array[i] {
		case '"':
			i = behindString(array, i) - 1
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 1 {
				n++
			}
		}
	}
	return n
}

// behindString returns the offset after the string that begins at i.
func behindString(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i + 1
}
