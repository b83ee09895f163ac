// Package blocks reads the code blocks of the site's pages, each with how it is tested.
//
// A block of commands or of Go has one of these attributes, as [source,console,run=graphs]:
//
//   - run=NAME: the script NAME of //docs/blocks/run, which runs the lines. Blocks of one name
//     are one script, in their order on the page.
//   - test=LABEL: another test, which reads the block from the page.
//   - file=PATH: a file of this repository that the build compiles and that has these lines.
//   - sketch="REASON": no test. The page shows the reason below the block.
//
// The last command of a block with status=N besides run=NAME exits with that status.
//
// # Errors
//
// An error names the page and the line.
//
// # Determinism
//
// Blocks are in the order of the page.
package blocks

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Block is a listing between two lines of four dashes.
type Block struct {
	Page       string // the file's name
	Line       int    // of its first line of dashes
	Language   string // "" if the block says none
	Attributes map[string]string
	Text       string // with the files that it includes; lines end in a newline
}

// At returns the block's place, for messages.
func (b Block) At() string { return fmt.Sprintf("%s:%d", b.Page, b.Line) }

// Ways are the attributes that say how a block is tested.
var Ways = []string{"run", "test", "file", "sketch"}

// NeedsWay reports whether the block must have one of Ways.
func (b Block) NeedsWay() bool {
	switch b.Language {
	case "console", "sh", "bash", "go":
		return true
	}
	return false
}

var (
	heredoc   = regexp.MustCompile(`<<'?([A-Z]+)'?$`)
	above     = regexp.MustCompile(`^\[|^\.[^ .]`)
	attribute = regexp.MustCompile(`^(?:([a-z]+)=)?(?:"([^"]*)"|([^",]*))(?:, *|$)`)
	included  = regexp.MustCompile(`^include::example\$([^\[]+)\[(?:tag=([a-z_]+))?\]$`)
)

// Read returns the blocks of a page, modules/ROOT/pages/NAME.adoc. Files that it includes are in
// modules/ROOT/examples.
func Read(path string) ([]Block, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	examples := filepath.Join(filepath.Dir(filepath.Dir(path)), "examples")
	var found []Block
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] != "----" {
			continue
		}
		b := Block{Page: filepath.Base(path), Line: i + 1, Attributes: map[string]string{}}
		for at := i - 1; at >= 0 && above.MatchString(lines[at]); at-- { // a title may be on either side
			if list, ok := strings.CutPrefix(lines[at], "["); ok {
				if err := b.attributes(strings.TrimSuffix(list, "]")); err != nil {
					return nil, err
				}
			}
		}
		for i++; i < len(lines) && lines[i] != "----"; i++ {
			line, err := include(examples, lines[i])
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", b.Page, i+1, err)
			}
			b.Text += line + "\n"
		}
		if i == len(lines) {
			return nil, fmt.Errorf("%s: the block has no end", b.At())
		}
		found = append(found, b)
	}
	return found, nil
}

// attributes takes what stands between the brackets of [source,LANGUAGE,...].
func (b *Block) attributes(list string) error {
	for position := 0; list != ""; position++ {
		m := attribute.FindStringSubmatch(list)
		if m == nil || m[0] == "" {
			return fmt.Errorf("%s: cannot read the attributes from %q on", b.At(), list)
		}
		list = list[len(m[0]):]
		switch value := m[2] + m[3]; {
		case m[1] != "":
			b.Attributes[m[1]] = value
		case position == 1:
			b.Language = value
		}
	}
	return nil
}

// include returns the file that a line includes, or the part of it between the marks of a tag.
func include(examples, line string) (string, error) {
	m := included.FindStringSubmatch(line)
	if m == nil {
		return line, nil
	}
	text, err := os.ReadFile(filepath.Join(examples, m[1]))
	if err != nil {
		return "", err
	}
	var kept []string
	in := m[2] == ""
	for l := range strings.Lines(string(text)) {
		switch {
		case strings.Contains(l, "tag::"+m[2]+"[]"):
			in = true
		case strings.Contains(l, "end::"+m[2]+"[]"):
			in = false
		case in && !strings.Contains(l, "tag::") && !strings.Contains(l, "end::"):
			kept = append(kept, l)
		}
	}
	return strings.TrimSuffix(strings.Join(kept, ""), "\n"), nil
}

// A Command is a line to type, with the lines that it is continued in.
type Command struct {
	Line   string
	Output string // what the block shows below it, "" for nothing
}

// Commands returns the commands of a block. In a block of language console they stand behind "$ "
// and what they print below them; in others each line is a command. One that ends in <<END has the
// lines to END.
func (b Block) Commands() ([]Command, error) {
	var found []Command
	more, until := false, ""
	for line := range strings.Lines(b.Text) {
		line = strings.TrimSuffix(line, "\n")
		typed, prompt := strings.CutPrefix(line, "$ ")
		switch {
		case until != "":
			found[len(found)-1].Line += "\n" + line
			if line == until {
				until = ""
			}
			continue
		case more:
			found[len(found)-1].Line += "\n" + line
		case b.Language != "console" && line == "":
			continue
		case prompt || b.Language != "console":
			found = append(found, Command{Line: typed})
		case len(found) == 0:
			return nil, fmt.Errorf("%s: %q stands before the first \"$ \"", b.At(), line)
		default:
			found[len(found)-1].Output += line + "\n"
			continue
		}
		more = strings.HasSuffix(line, `\`)
		if m := heredoc.FindStringSubmatch(line); m != nil {
			until = m[1]
		}
	}
	return found, nil
}

// check is the handling of an error by returning it.
var check = regexp.MustCompile(`(?m)^\s*if err != nil \{\n\s*return .*\n\s*\}\n`)

// Has reports whether a file of Go has the block's lines together, at any indentation. The block
// may lack what returns an error, and its line "// ..." stands for any number of lines.
func (b Block) Has(file string) bool {
	lines := func(text string) []string {
		var found []string
		for l := range strings.Lines(check.ReplaceAllString(text, "")) {
			found = append(found, strings.TrimSpace(l))
		}
		return found
	}
	have := lines(file)
	for start := range have {
		if follows(have[start:], lines(b.Text)) {
			return true
		}
	}
	return false
}

func follows(have, want []string) bool {
	for i, line := range want {
		if line == "// ..." {
			for skip := i; skip <= len(have); skip++ {
				if follows(have[skip:], want[i+1:]) {
					return true
				}
			}
			return false
		}
		if i >= len(have) || have[i] != line {
			return false
		}
	}
	return true
}
