package check

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/errs"
)

// Shipped is a program or an archive that a target ships.
type Shipped struct {
	Label string
	Kind  string // the row of the target table for a program, the scope for an archive
	Path  string // the file of Sizes for a program, the archive itself otherwise
}

// ShippedOf combines each label with the kind and path of the same index; they are
// separate lists because labels and paths may contain any separator. A different number of
// kinds or paths is CodeRead.
func ShippedOf(labels, kinds, paths []string) ([]Shipped, error) {
	if len(kinds) != len(labels) || len(paths) != len(labels) {
		return nil, errs.New(CodeRead, "%d labels, %d kinds and %d files are given", len(labels), len(kinds), len(paths)).Hint("give one of each for each")
	}
	list := make([]Shipped, len(labels))
	for i, label := range labels {
		list[i] = Shipped{Label: label, Kind: kinds[i], Path: paths[i]}
	}
	return list, nil
}

// Table lists programs and archives with their sizes, by label, and the totals. A split
// archive has a line for each of its files.
func Table(programs, archives []Shipped) ([]byte, error) {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	var program, archive int64
	order(programs)
	fmt.Fprintln(w, "program\ttarget\tprogram bytes\tarchive bytes\texecutables")
	for _, p := range programs {
		s, err := ReadSizes(p.Path)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\n", p.Label, p.Kind, s.Program, s.of("archives"), len(s.Executables))
		program += s.Program
	}
	if len(archives) > 0 {
		order(archives)
		fmt.Fprintln(w, "\narchive\tscope\tfile\tbytes")
		for _, a := range archives {
			n, err := size(a.Path)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\n", a.Label, a.Kind, filepath.Base(a.Path), n)
			archive += n
		}
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%d programs of %d bytes, %d archives of %d bytes, %d bytes in all\n", len(programs), program, len(archives), archive, program+archive)
	return b.Bytes(), nil
}

func order(list []Shipped) {
	slices.SortFunc(list, func(a, b Shipped) int {
		return cmp.Or(strings.Compare(a.Label, b.Label), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path))
	})
}
