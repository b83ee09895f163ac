// Command rulereference writes the reference of the rules from Bazel's
// documentation messages.
//
//	rulereference OUT.adoc TITLE=FILE.binaryproto...
//
// The files are the outputs of starlark_doc_extract. In docstrings, names in
// backquotes and lists that begin with an asterisk are kept as marks; what is
// indented below them is a listing.
//
// # Determinism
//
// Rules, aspects, providers, functions and extensions come in the order of their names,
// attributes in the order in which they are declared.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/docs/rulereference/stardoc"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: rulereference OUT.adoc TITLE=FILE.binaryproto...")
		os.Exit(2)
	}
	page, err := reference(os.Args[2:])
	if err == nil {
		err = atomicfile.WriteFile(os.Args[1], page)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rulereference:", err)
		os.Exit(1)
	}
}

// reference returns the page's text: a section for each file.
func reference(files []string) ([]byte, error) {
	var page bytes.Buffer
	page.WriteString("// Made by //docs/rulereference from the docstrings: ./bazelw run //docs:update\n")
	for _, f := range files {
		title, path, ok := strings.Cut(f, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not TITLE=FILE", f)
		}
		message, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var m stardoc.ModuleInfo
		if err := proto.Unmarshal(message, &m); err != nil {
			return nil, fmt.Errorf("%s: not a stardoc_output.ModuleInfo: %w", path, err)
		}
		if len(m.RuleInfo)+len(m.RepositoryRuleInfo)+len(m.AspectInfo)+len(m.ProviderInfo)+len(m.FuncInfo)+len(m.ModuleExtensionInfo) == 0 {
			return nil, fmt.Errorf("%s: no rule is documented there", path)
		}
		writeModule(&page, title, &m)
	}
	return page.Bytes(), nil
}
