//go:build integration

package e2e

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// archive returns the bytes of an archive with the data entry that weighted takes, others, and
// an entry of each other kind.
func archive(t *testing.T, external bool) []byte {
	t.Helper()
	w := make([]byte, 24)
	for i := range 6 {
		binary.LittleEndian.PutUint32(w[4*i:], math.Float32bits(float32(i)))
	}
	items := []irpa.Item{
		irpa.Bytes("w", w),
		{Name: "splat", Length: 64, Pattern: []byte{1, 2, 3, 4}},
		irpa.Bytes("after", w),
	}
	items[2].Metadata = []byte("not ours")
	if external {
		items = append(items, irpa.Item{Name: "far", Path: "far.bin", Length: 8})
	}
	var b bytes.Buffer
	require.NoError(t, irpa.Encode(&b, items))
	return b.Bytes()
}

// judge returns the code and the offset at which the Go reader rejects a file.
func judge(path string) (code errs.Code, at string) {
	f, err := irpa.Open(path)
	if err != nil {
		var e *errs.Error
		errors.As(err, &e)
		return e.Code, fmt.Sprintf("byte %d: ", e.Offset)
	}
	f.Close()
	return "", ""
}

// Whatever a field of the header or of an entry claims, the runner exits cleanly, with
// the Go reader's code and offset, except for what only the Go reader checks: nothing
// that IREE dereferences.
func TestDamagedArchives(t *testing.T) {
	dir := board(t)
	args := call("weighted", "1,2,3,4,5,6")
	besides := []errs.Code{irpa.CodePadding, irpa.CodeOverlap, irpa.CodeSplat}
	for _, external := range []bool{false, true} {
		good := archive(t, external)
		put(t, dir, "demo.irpa", good)
		whole := run(t, dir, args...)
		if external {
			require.Contains(t, whole.stderr, "IREE_PARAMETERS: demo.irpa: UNIMPLEMENTED; ")
		} else {
			require.Equal(t, 0, whole.status, whole.stderr)
		}
		end := 96 + int(binary.LittleEndian.Uint64(good[48:]))
		codes := map[string]int{}
		for at := 0; at+8 <= end; at += 4 {
			for _, v := range []uint64{math.MaxUint64, math.MaxInt64, 1 << 63, -uint64(len(good)), 4097, 1, 0} {
				b := bytes.Clone(good)
				binary.LittleEndian.PutUint64(b[at:], v)
				put(t, dir, "demo.irpa", b)
				got := run(t, dir, args...)
				what := fmt.Sprintf("%#x at byte %d: %s", v, at, got.stderr)
				require.Contains(t, []int{0, 1}, got.status, what)
				require.Equal(t, got.status, strings.Count(got.stderr, "\n"), what)
				code, where := judge(filepath.Join(dir, "demo.irpa"))
				refused := strings.HasPrefix(got.stderr, "iree_runner: IRPA_")
				if refused {
					codes[strings.Split(got.stderr, ": ")[1]]++
					require.NotEmpty(t, code, what)
				}
				if code != "" && !slices.Contains(besides, code) {
					require.True(t, strings.HasPrefix(got.stderr, fmt.Sprintf("iree_runner: %s: demo.irpa: %s", code, where)),
						"%s: want %s at %s", what, code, where)
				}
			}
		}
		for _, code := range []errs.Code{
			irpa.CodeRange, irpa.CodeTruncated, irpa.CodeMagic, irpa.CodeVersion, irpa.CodeHeader, irpa.CodeFlags, irpa.CodeLinked,
			irpa.CodeOverlap, irpa.CodeEntry, irpa.CodeName, irpa.CodeSplat, irpa.CodeAlignment, irpa.CodeLimit,
		} {
			require.NotZero(t, codes[string(code)], "%s: %v", code, codes)
		}
	}
}

// Ranges of each kind that wrap, at the smallest width that does, in complete and
// truncated files, are refused.
func TestWrappedRanges(t *testing.T) {
	dir := board(t)
	good := archive(t, false)
	end := 96 + int(binary.LittleEndian.Uint64(good[48:]))
	for at, n := range map[int]int{
		56: len(good), 72: len(good), // segments
		96 + 20: len(good), 96 + 36: len(good), 96 + 60: len(good), // name, metadata, datum
		176 + 36: end + 8, 272 + 60: len(good), // of the splat, of the third
	} {
		for _, offset := range []uint64{math.MaxUint64, math.MaxUint64 - 3, 1<<64 - 1<<32} {
			b := bytes.Clone(good)
			binary.LittleEndian.PutUint64(b[at:], offset)
			binary.LittleEndian.PutUint64(b[at+8:], 1<<32-1)
			put(t, dir, "demo.irpa", b[:n])
			got := run(t, dir, call("weighted", "1,2,3,4,5,6")...)
			require.Equal(t, 1, got.status, "%d: %s", at, got.stderr)
			require.Regexp(t, `^iree_runner: IRPA_(BAD_RANGE|TRUNCATED): demo.irpa: byte \d+: [^\n]*\n$`, got.stderr)
		}
	}
	// The name of another entry, which no change of a single field produces.
	b := bytes.Clone(good)
	copy(b[272+20:], b[96+20:96+36])
	put(t, dir, "demo.irpa", b)
	got := run(t, dir, call("weighted", "1,2,3,4,5,6")...)
	require.Equal(t, 1, got.status)
	require.True(t, strings.HasPrefix(got.stderr, "iree_runner: IRPA_DUPLICATE_NAME: demo.irpa: byte 292: another entry has the name w; "), got.stderr)
}
