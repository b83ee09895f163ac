package fromgguf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/families"
	"github.com/skainet-dev/skainet-go/test/families/familytest"
)

// Every family's logits and vectors are llama.cpp's.
func TestAgainstLlamaCPP(t *testing.T) {
	recorded, err := families.Recorded()
	require.NoError(t, err)
	decoders := append(families.All(), families.More()...)
	require.Len(t, recorded.Cases, len(decoders)+len(families.Encoders()))
	for _, f := range decoders {
		t.Run(f.Name, func(t *testing.T) { familytest.Decoder(t, f, open.Options{Backend: open.CPU}) })
	}
	for _, f := range families.Encoders() {
		t.Run(f.Name, func(t *testing.T) { familytest.Encoder(t, f, open.Options{Backend: open.CPU}) })
	}
}
