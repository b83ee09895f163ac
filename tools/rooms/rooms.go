package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed rooms.json
var data []byte

// plan is the map of the repository: its rooms from top to bottom.
type plan struct {
	Module string `json:"module"`
	Rooms  []room `json:"rooms"`
}

// room is a folder with the packages below it, except those that are rooms themselves.
type room struct {
	Folder string   `json:"folder"`
	Owns   string   `json:"owns"`
	Never  string   `json:"never"`
	Not    []string `json:"not"` // folders further down that it does not import either
}

// read parses the map.
func read(data []byte) (*plan, error) {
	var p plan
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("rooms.json: %w", err)
	}
	return &p, nil
}

// below reports whether a slash-separated path is a folder or lies below it.
func below(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

// floor returns the index of the room of a package, or -1: that of the longest
// folder that the package lies below.
func (p *plan) floor(pkg string) int {
	found := -1
	for i, r := range p.Rooms {
		if below(pkg, r.Folder) && (found < 0 || len(r.Folder) > len(p.Rooms[found].Folder)) {
			found = i
		}
	}
	return found
}

// check returns what is wrong with the imports of one Go file, which is named by
// its path in the repository. Tests may import anything.
func (p *plan) check(file string, source []byte) ([]string, error) {
	if strings.HasSuffix(file, "_test.go") {
		return nil, nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	from := p.floor(path.Dir(file))
	if from < 0 {
		return []string{fmt.Sprintf("%s: no room has this folder: add it to tools/rooms/rooms.json", file)}, nil
	}
	var faults []string
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if pkg, ours := strings.CutPrefix(name, p.Module+"/"); ours {
			if why := p.refuse(from, pkg); why != "" {
				faults = append(faults, fmt.Sprintf("%s imports %s: %s", file, pkg, why))
			}
		}
	}
	return faults, nil
}

// refuse returns why a file of a room may not import a package, or nothing.
func (p *plan) refuse(from int, pkg string) string {
	r, to := p.Rooms[from], p.floor(pkg)
	switch {
	case to < 0:
		return "no room has that folder"
	case r.Folder == "internal" && to != from && p.Rooms[to].Folder != "errs":
		return "internal imports nothing of ours but errs"
	case to < from:
		return fmt.Sprintf("imports go down, and %s is above %s", p.Rooms[to].Folder, r.Folder)
	}
	if i := slices.IndexFunc(r.Not, func(folder string) bool { return below(pkg, folder) }); i >= 0 {
		return fmt.Sprintf("%s does not import %s", r.Folder, r.Not[i])
	}
	return ""
}

// asciidoc returns the table of rooms for the architecture page.
func (p *plan) asciidoc() string {
	var b strings.Builder
	b.WriteString("// Made by `rooms --asciidoc` from tools/rooms/rooms.json: ./bazelw run //docs:update\n")
	b.WriteString("[cols=\"1,3,2\"]\n|===\n|Room |What it owns |What it never has\n")
	for _, r := range p.Rooms {
		fmt.Fprintf(&b, "\n|`%s`\n|%s\n|%s\n", r.Folder, r.Owns, r.Never)
	}
	b.WriteString("|===\n")
	return b.String()
}
