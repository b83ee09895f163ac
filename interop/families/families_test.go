//go:build integration

package families_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/families"
	"github.com/skainet-dev/skainet-go/test/families/familytest"
)

// chosen are families that have between them experts in blocks and the loop over their
// tokens, layer norms, parallel residuals, rotary positions of a part of a head, biases,
// windows, layers without rotary positions, sinks of attention, biases of experts, routers
// of groups, ALiBi, short convolutions, latent attention, windows on both sides, layers of
// sizes of their own, keys and values of other layers, and memories. Each takes the compiler
// ten seconds or more.
var chosen = []string{
	"mixtral-q8_0", "phi2", "cohere2", "nomic-bert", "gpt-oss-mxfp4", "bailingmoe2", "mpt", "lfm2moe", "deepseek2-joint", "gemma-embedding-dense", "jina-bert-v2",
	"apertus", "openelm", "gemma4", "mamba", "nomic-bert-moe",
}

// run compares one file's program with llama.cpp.
type run struct {
	name string
	same func(t *testing.T, o open.Options)
}

// runs lists all files that llama.cpp's record has, one of those as bitnet.cpp stores it, and
// one with a window that llama.cpp does not read.
func runs() []run {
	var list []run
	for _, f := range append(families.All(), families.More()...) {
		list = append(list, run{f.Name, func(t *testing.T, o open.Options) { familytest.Decoder(t, f, o) }})
	}
	for _, f := range families.Encoders() {
		list = append(list, run{f.Name, func(t *testing.T, o open.Options) { familytest.Encoder(t, f, o) }})
	}
	list = append(list, run{"mistral-window", familytest.Windowed})
	return append(list, run{"bitnet-i2_s", func(t *testing.T, o open.Options) {
		f := families.BitNet()
		data, err := f.Encode()
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		familytest.Same(t, f, hex.EncodeToString(sum[:]), o)
	}})
}

// Compiled programs give llama.cpp's logits and vectors too: those of the chosen families,
// or, where PART is I/N, every N-th of the others, the I-th first.
func TestProgramsAgainstLlamaCPP(t *testing.T) {
	o := open.Options{Backend: open.IREE, Compiler: os.Getenv("COMPILER"), Linker: os.Getenv("LINKER"), Library: os.Getenv("LIBRARY"), Kernels: true}
	others := slices.DeleteFunc(runs(), func(r run) bool { return slices.Contains(chosen, r.name) })
	list := slices.DeleteFunc(runs(), func(r run) bool { return !slices.Contains(chosen, r.name) })
	require.Len(t, list, len(chosen))
	if part := os.Getenv("PART"); part != "" {
		var i, n int
		_, err := fmt.Sscanf(part, "%d/%d", &i, &n)
		require.NoError(t, err)
		require.Less(t, i, n)
		list = nil
		for ; i < len(others); i += n {
			list = append(list, others[i])
		}
	}
	for _, r := range list {
		t.Run(r.name, func(t *testing.T) { r.same(t, o) })
	}
}
