//go:build integration

package families_test

import (
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

// Compiled programs give llama.cpp's logits and vectors too.
func TestProgramsAgainstLlamaCPP(t *testing.T) {
	o := open.Options{Backend: open.IREE, Compiler: os.Getenv("COMPILER"), Linker: os.Getenv("LINKER"), Library: os.Getenv("LIBRARY"), Kernels: true}
	decoders := append(families.All(), families.More()...)
	for _, name := range chosen {
		t.Run(name, func(t *testing.T) {
			named := func(f families.Family) bool { return f.Name == name }
			if i := slices.IndexFunc(decoders, named); i >= 0 {
				familytest.Decoder(t, decoders[i], o)
				return
			}
			i := slices.IndexFunc(families.Encoders(), named)
			require.NotEqual(t, -1, i)
			familytest.Encoder(t, families.Encoders()[i], o)
		})
	}
}
