package cli

import "github.com/skainet-dev/skainet-go/io/convert"

// globHelp is what the help of a flag says of patterns.
const globHelp = "* stands for any text without a slash, ** for any text"

// names is a choice of tensors by patterns; none takes all.
type names []string

// check finds a malformed pattern before a file is opened.
func (n names) check() error {
	for _, glob := range n {
		if _, err := convert.Match(glob, ""); err != nil {
			return err
		}
	}
	return nil
}

// match reports whether a name fits one of the patterns, which were checked.
func (n names) match(name string) bool {
	for _, glob := range n {
		if ok, err := convert.Match(glob, name); err == nil && ok {
			return true
		}
	}
	return len(n) == 0
}
