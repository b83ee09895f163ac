package command

import (
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Sizes reads lists of dynamic sizes such as "batch=1,seq=128".
func Sizes(texts []string) ([]map[string]int64, error) {
	var all []map[string]int64
	for _, text := range texts {
		sizes := map[string]int64{}
		for part := range strings.SplitSeq(text, ",") {
			name, number, _ := strings.Cut(part, "=")
			n, err := strconv.ParseInt(number, 10, 64)
			if _, twice := sizes[name]; err != nil || n < 1 || name == "" || twice {
				return nil, errs.New(CodeUsage, "--sizes %q is no list of NAME=N", text).Hint("write it as batch=1,seq=128, each name once")
			}
			sizes[name] = n
		}
		all = append(all, sizes)
	}
	return all, nil
}
