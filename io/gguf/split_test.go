package gguf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// splitModel writes three parts with a tensor each, and returns their paths.
func splitModel(t *testing.T) []string {
	t.Helper()
	items := []Item{ramp[int8](t, "a", 0, 40, 40), ramp[int8](t, "b", 1, 40, 40), ramp[int8](t, "c", 2, 40, 40)}
	paths, err := Write(filepath.Join(t.TempDir(), "m.gguf"), []Pair{{"general.architecture", "test"}}, items, Options{PartBytes: 40, Alignment: 64})
	require.NoError(t, err)
	require.Len(t, paths, 3)
	return paths
}

// place returns where the value of a key lies in a file.
func place(t *testing.T, path, key string) int64 {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	h, err := parse(b, int64(len(b)), memory(b), new(errs.Faults))
	require.NoError(t, err)
	v, ok := h.get(key)
	require.True(t, ok, key)
	return v.at
}

func TestFaultsOfSplitModels(t *testing.T) {
	move := func(t *testing.T, from, to string) { require.NoError(t, os.Rename(from, to)) }
	tests := []struct {
		name   string
		damage func(t *testing.T, paths []string)
		open   int
		code   errs.Code
		part   int // at fault
		text   string
	}{
		{"a part is missing", func(t *testing.T, p []string) { require.NoError(t, os.Remove(p[1])) }, 0, CodeMissingPart, 1, "part 2 of 3"},
		{"the first is missing", func(t *testing.T, p []string) { require.NoError(t, os.Remove(p[0])) }, 2, CodeMissingPart, 0, "part 1 of 3"},
		{"a part is a folder", func(t *testing.T, p []string) {
			require.NoError(t, os.Remove(p[2]))
			require.NoError(t, os.Mkdir(p[2], 0o755))
		}, 0, CodeMissingPart, 2, "a folder"},
		{"two parts change places", func(t *testing.T, p []string) {
			move(t, p[1], p[1]+".x")
			move(t, p[2], p[1])
			move(t, p[1]+".x", p[2])
		}, 0, CodeSplit, 1, "2, want 1"},
		{"the opened one has another's place", func(t *testing.T, p []string) {
			move(t, p[1], p[1]+".x")
			move(t, p[2], p[1])
			move(t, p[1]+".x", p[2])
		}, 2, CodeSplit, 2, "part 00003 of 00003, the file part 2 of 3"},
		{"another number of parts", func(t *testing.T, p []string) { edit(t, p[1], place(t, p[1], keySplitCount), 4) }, 0, CodeSplit, 1, "4, want 3"},
		{"the name has another number of parts", func(t *testing.T, p []string) { edit(t, p[1], place(t, p[1], keySplitCount), 4) }, 1, CodeSplit, 1, "part 00002 of 00003, the file part 2 of 4"},
		{"another number of tensors", func(t *testing.T, p []string) { edit(t, p[2], place(t, p[2], keySplitTensors), 9) }, 0, CodeSplit, 2, "9 tensors in all, the parts hold 3"},
		{"no part at all", func(t *testing.T, p []string) {
			b, err := os.ReadFile(goldenPath("little"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(p[1], b, 0o644))
		}, 0, CodeSplit, 1, "no split.no"},
		{"another version", func(t *testing.T, p []string) { edit(t, p[1], 4, 2) }, 0, CodeSplit, 1, "different versions"},
		{"another tensor of the same name", func(t *testing.T, p []string) {
			f := openFile(t, p[1])
			info, err := f.Info("b")
			require.NoError(t, err)
			edit(t, p[1], info.field-4-8-4-1, 'a')
		}, 0, CodeDuplicateName, 1, "part 1 has a tensor of this name"},
		{"a broken part", func(t *testing.T, p []string) { require.NoError(t, os.Truncate(p[2], 30)) }, 0, CodeTruncated, 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			paths := splitModel(t)
			tt.damage(t, paths)
			check := func(err error) {
				var e *errs.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, tt.code, e.Code, err)
				require.Equal(t, paths[tt.part], e.File, err)
				require.ErrorContains(t, err, tt.text)
			}
			_, err := Open(paths[tt.open])
			check(err)
			faults, err := Verify(paths[tt.open])
			require.NoError(t, err)
			require.NotEmpty(t, faults)
			check(faults[0])
		})
	}
}

func TestPartsUnderAnotherName(t *testing.T) {
	paths := splitModel(t)
	other := filepath.Join(filepath.Dir(paths[1]), "other.gguf")
	require.NoError(t, os.Link(paths[1], other))
	_, err := Open(other)
	require.Equal(t, CodeSplit, errs.CodeOf(err))
	require.ErrorContains(t, err, "-of-00003.gguf")
	faults, err := Verify(paths[2])
	require.NoError(t, err)
	require.Empty(t, faults)
}

// Verify goes on over the parts and lists what is wrong with each.
func TestVerifyListsFaultsOfAllParts(t *testing.T) {
	paths := splitModel(t)
	require.NoError(t, os.Remove(paths[1]))
	edit(t, paths[2], place(t, paths[2], keyAlignment), 48)
	faults, err := Verify(paths[0])
	require.NoError(t, err)
	var got []string
	for _, err := range faults {
		var e *errs.Error
		require.ErrorAs(t, err, &e)
		got = append(got, string(e.Code)+" "+filepath.Base(e.File))
	}
	require.Equal(t, []string{"GGUF_MISSING_PART m-00002-of-00003.gguf", "GGUF_BAD_ALIGNMENT m-00003-of-00003.gguf"}, got)
	_, err = Verify(paths[1])
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
}
