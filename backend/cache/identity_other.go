//go:build !unix

package cache

import (
	"fmt"
	"os"
)

// stamp is what changes when someone writes to a file.
func stamp(path string) (string, error) {
	st, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(st.Size(), st.ModTime().UnixNano()), nil
}
