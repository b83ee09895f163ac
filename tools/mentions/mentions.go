package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// own are the folders that may: the table with its cases, and this one.
var own = []string{"compile/iree", "cmd/needed", "tools/mentions"}

// isOwn reports whether a file lies in one of them.
func isOwn(file string) bool {
	for _, folder := range own {
		if strings.HasPrefix(file, folder+"/") {
			return true
		}
	}
	return false
}

// markers are the line comment markers, by file name suffix.
var markers = map[string]string{
	".go": "//", ".c": "//", ".h": "//", ".js": "//", ".mlir": "//", ".proto": "//", ".s": "//",
	".bazel": "#", ".bazelrc": "#", ".bzl": "#", ".py": "#", ".sh": "#", ".toml": "#", ".yml": "#",
	"run": "#", "bazelw": "#", "WORKSPACE": "#",
}

// marker returns the comment marker of a file, or "".
func marker(file string) string {
	if ext := path.Ext(file); ext != "" {
		return markers[ext]
	}
	return markers[path.Base(file)]
}

var (
	// release is one of IREE, and pinned another way to say it.
	release = regexp.MustCompile(`\bIREE,? v?[0-9]+\.[0-9]+|\bpinned (compiler|runtime)`)
	// The subject and its fault, in one sentence.
	who      = regexp.MustCompile(`\b([Cc]ompiler|IREE|SPIR-V)\b`)
	what     = regexp.MustCompile(`\b(crash(es|ed)?|miscompil\w*|bugs?|(gives?|makes?|computes?) wrong|wrong numbers|does not compile)\b`)
	sentence = regexp.MustCompile(`[.;:] `)
)

// check returns what is wrong with the comments of a file, which is named by its path
// in the repository.
func check(file string, source []byte) []string {
	var faults, block []string
	begin, mark := 0, marker(file)
	end := func() {
		if text := strings.Join(block, " "); speaks(text) {
			faults = append(faults, fmt.Sprintf("%s:%d: %s", file, begin, text))
		}
		block = nil
	}
	for i, line := range strings.Split(string(source), "\n") {
		text, alone, ok := comment(line, mark)
		if !ok || !alone {
			end()
		}
		if ok {
			if block == nil {
				begin = i + 1
			}
			block = append(block, text)
		}
	}
	end()
	return faults
}

// speaks reports whether a comment is about a fault of the compiler.
func speaks(text string) bool {
	if release.MatchString(text) {
		return true
	}
	for _, s := range sentence.Split(text, -1) {
		if who.MatchString(s) && what.MatchString(s) {
			return true
		}
	}
	return false
}

// comment returns the text of a line's comment, and whether nothing else is in the line.
// Quoted text is not a comment.
func comment(line, mark string) (text string, alone, ok bool) {
	for at := 0; ; {
		i := strings.Index(line[at:], mark)
		if i < 0 {
			return "", false, false
		}
		at += i
		before := line[:at]
		if strings.Count(before, `"`)%2 == 0 && (before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "\t")) {
			return strings.TrimSpace(line[at+len(mark):]), strings.TrimSpace(before) == "", true
		}
		at += len(mark)
	}
}
