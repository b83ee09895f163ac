package stardoc

import (
	_ "embed"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tools/protogen/generate"
)

const path = "docs/rulereference/stardoc/stardoc.proto"

var (
	//go:embed stardoc.proto
	source string
	//go:embed stardoc.pb.go
	made string
)

func TestGenerated(t *testing.T) {
	text, err := generate.Go(path, source)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(text, made), "go run ./tools/protogen "+path)
}
