package harness

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"

	"github.com/skainet-dev/skainet-go/errs"
)

type contestant struct {
	name  string
	needs []string
}

func (s contestant) Contestant() (name string, needs []string) { return s.name, s.needs }

func TestChoose(t *testing.T) {
	found := cpu.X86
	defer func() { cpu.X86 = found }()
	x := &cpu.X86
	for _, has := range []*bool{
		&x.HasAVX, &x.HasAVX2, &x.HasFMA, &x.HasF16C, &x.HasBMI1, &x.HasBMI2, &x.HasLZCNT, &x.HasMOVBE, &x.HasPOPCNT,
		&x.HasSSE2, &x.HasSSE3, &x.HasSSSE3, &x.HasSSE41, &x.HasSSE42, &x.HasAVX512BW, &x.HasAVX512CD, &x.HasAVX512DQ, &x.HasAVX512VL,
	} {
		*has = true
	}
	x.HasAVX512F = false
	all := []contestant{{"ours-v3", []string{"a"}}, {"ours-v4", nil}, {"absent", []string{"a", ""}}, {"peer", nil}}
	chosen, notes, err := Choose(all, nil)
	require.NoError(t, err)
	require.Equal(t, []contestant{all[0], all[3]}, chosen)
	require.Equal(t, []string{"ours-v4 left out: this processor has no avx512f"}, notes)
	chosen, notes, err = Choose(all, []string{"peer"})
	require.NoError(t, err)
	require.Equal(t, all[3:], chosen)
	require.Empty(t, notes)
	x.HasAVX2 = false
	for _, only := range [][]string{{"absent"}, {"peer", "other"}, {"ours-v3"}} {
		_, _, err = Choose(all, only)
		require.Equal(t, errs.Code("BENCH_FLAGS"), errs.CodeOf(err), only)
	}
	require.ErrorContains(t, err, "nothing to measure: ours-v3 left out: this processor has no avx2")
}
