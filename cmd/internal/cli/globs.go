package cli

import "github.com/skainet-dev/skainet-go/io/convert"

// globHelp describes patterns in the help of a flag.
const globHelp = "* matches any text without a slash, ** any text"

// names selects tensors by patterns; without a pattern all are selected.
type names []string

// check rejects a malformed pattern before a file is opened.
func (n names) check() error {
	for _, glob := range n {
		if _, err := convert.Match(glob, ""); err != nil {
			return err
		}
	}
	return nil
}

// match reports whether a name matches one of the patterns, which must be valid.
func (n names) match(name string) bool {
	for _, glob := range n {
		if ok, err := convert.Match(glob, name); err == nil && ok {
			return true
		}
	}
	return len(n) == 0
}
