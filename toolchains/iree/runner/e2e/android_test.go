//go:build integration

package e2e

import (
	"debug/elf"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// androidLevel is the API level that the row of the hermetic compiler names.
const androidLevel = 29

// androidPage is the largest page of an Android device.
const androidPage = 16 << 10

// The shared runtime for Android needs its C libraries alone, by symbols that they have since
// the API level of the row, and can be mapped on devices with pages of 16 kB. It has the same
// functions as the one for this machine. No loader of Android is here to load it.
func TestAndroidLibrary(t *testing.T) {
	f, err := elf.Open(path(t, "ANDROID"))
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, elf.EM_AARCH64, f.Machine)
	require.Equal(t, elf.ET_DYN, f.Type)
	needed, err := f.ImportedLibraries()
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"libc.so", "libdl.so", "libm.so"}, needed)
	has := androidSymbols(t)
	symbols, err := f.ImportedSymbols()
	require.NoError(t, err)
	require.NotEmpty(t, symbols)
	for _, s := range symbols {
		require.Empty(t, s.Version, s.Name)
		level, ok := has[s.Name]
		require.True(t, ok, "Android has no %s", s.Name)
		require.LessOrEqual(t, level, androidLevel, s.Name)
	}
	textrel, err := f.DynValue(elf.DT_TEXTREL)
	require.NoError(t, err)
	require.Empty(t, textrel, "code would be changed when it is loaded")
	require.Equal(t, exports(t, path(t, "LIBRARY")), exports(t, path(t, "ANDROID")))
	androidPages(t, f)
	noRepository(t, path(t, "ANDROID"))
}

// The runner for Android is the static one for Linux.
func TestAndroidRunner(t *testing.T) {
	f, err := elf.Open(path(t, "AARCH64_LINUX"))
	require.NoError(t, err)
	defer f.Close()
	needed, err := f.ImportedLibraries()
	require.NoError(t, err)
	require.Empty(t, needed)
	androidPages(t, f)
}

func androidPages(t *testing.T, f *elf.File) {
	t.Helper()
	loads := 0
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			loads++
			require.Zero(t, p.Align%androidPage, "segment at 0x%x is aligned to %d", p.Vaddr, p.Align)
		}
	}
	require.Positive(t, loads)
}

// exports returns the functions of a library.
func exports(t *testing.T, file string) []string {
	t.Helper()
	f, err := elf.Open(file)
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	require.NoError(t, err)
	var names []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	require.NotEmpty(t, names)
	return names
}

// androidSymbols returns the API level since which Android has a symbol.
func androidSymbols(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(path(t, "SYMBOLS"))
	require.NoError(t, err)
	has := map[string]int{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) != 4 || words[0] == "#" {
			continue
		}
		level, err := strconv.Atoi(words[1])
		if err != nil {
			continue // a sentence of the head
		}
		has[words[3]] = level
	}
	require.NotEmpty(t, has)
	return has
}
