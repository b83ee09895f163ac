package iree

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// portable are the folders that know nothing of one compiler; what its faults ask of
// them is a row of Rewrites.
var portable = []string{"audio", "compile", "errs", "lang", "models", "tensor", "text"}

// own are the folders in these that are about one.
var own = []string{"compile/iree", "compile/contract"}

// mention is a release of the compiler in a comment.
var mention = regexp.MustCompile(`//.*(\bIREE [0-9]+\.[0-9]+|pinned (compiler|runtime))`)

// No comment of a portable folder speaks of a release of the compiler. Bazel's test
// sees the sources that programs are made of.
func TestMentions(t *testing.T) {
	files := 0
	for _, folder := range portable {
		root := filepath.Join("..", "..", folder)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			for _, o := range own {
				if strings.HasPrefix(filepath.ToSlash(path), "../../"+o+"/") {
					return nil
				}
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files++
			require.Empty(t, mention.FindString(string(text)), "%s: what a compiler needs is a row of compile/iree.Rewrites", path)
			return nil
		})
		require.NoError(t, err)
	}
	require.Greater(t, files, 200)
}
