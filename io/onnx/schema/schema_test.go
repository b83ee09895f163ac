package schema

import (
	_ "embed"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tools/protogen/generate"
)

const path = "io/onnx/schema/onnx.proto"

var (
	//go:embed onnx.proto
	source string
	//go:embed onnx.pb.go
	made string
)

func TestGenerated(t *testing.T) {
	text, err := generate.Go(path, source)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(text, made), "go run ./tools/protogen "+path)
}
