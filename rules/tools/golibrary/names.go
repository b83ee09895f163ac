package main

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

// names gives Go names, each once.
type names map[string]bool

// exported returns an exported name for a name of the contract: "input_ids" is InputIds. A
// name that is taken gets a number.
func (n names) exported(name string) string {
	var b strings.Builder
	begin := true
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			begin = true
			continue
		}
		if begin {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		begin = false
	}
	text := b.String()
	// A digit, nothing, or a letter without an upper case cannot begin an exported name.
	if !token.IsExported(text) || !token.IsIdentifier(text) {
		text = "V" + text
	}
	return n.once(text)
}

// local returns the name of a parameter of a method.
func local(name string) string {
	text := []rune(names{}.exported(name))
	// A run of capitals at the beginning is one word: ID is id, HTTPPort httpPort.
	for i := range text {
		if !unicode.IsUpper(text[i]) || i > 0 && i+1 < len(text) && unicode.IsLower(text[i+1]) {
			break
		}
		text[i] = unicode.ToLower(text[i])
	}
	switch t := string(text); {
	case token.IsKeyword(t), used[t]:
		return t + "_"
	default:
		return t
	}
}

// used are names that a method's own code has.
var used = map[string]bool{
	"m": true, "c": true, "ctx": true, "err": true, "in": true, "out": true, "typed": true, "context": true, "tensor": true,
	"bool": true, "float32": true, "float64": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint8": true, "uint16": true, "uint32": true, "uint64": true, "error": true, "nil": true,
}

// once returns the name, with a number if it was returned before.
func (n names) once(name string) string {
	text := name
	for i := 2; n[text]; i++ {
		text = name + strconv.Itoa(i)
	}
	n[text] = true
	return text
}
