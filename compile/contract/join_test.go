package contract

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestJoin(t *testing.T) {
	parameter := func(key string, d dtype.DType, size int64) Parameter {
		bytes, err := tensor.TypeOf(d, size).Bytes()
		require.NoError(t, err)
		return Parameter{Scope: DefaultScope, Key: key, DType: d, Shape: shape.Of(size), Bytes: bytes, Source: FromWeights}
	}
	encoder := &Contract{Schema: Schema, Name: "encoder", Parameters: []Parameter{parameter("embed", dtype.F32, 4), parameter("w", dtype.I8, 3)}}
	decoder := &Contract{Schema: Schema, Name: "decoder", Parameters: []Parameter{parameter("a", dtype.F32, 2), parameter("embed", dtype.F32, 4)}}
	c, err := Join("both", encoder, decoder)
	require.NoError(t, err)
	doc, err := c.Marshal()
	require.NoError(t, err)
	c, err = Parse(doc)
	require.NoError(t, err)
	require.Equal(t, "both", c.Name)
	require.Empty(t, c.Entries)
	var keys []string
	for _, p := range c.Parameters {
		keys = append(keys, p.Key)
	}
	require.Equal(t, []string{"a", "embed", "w"}, keys)

	other := &Contract{Schema: Schema, Name: "other", Parameters: []Parameter{parameter("w", dtype.U8, 3)}}
	_, err = Join("both", encoder, other)
	require.Equal(t, CodeJoin, errs.CodeOf(err))
	require.ErrorContains(t, err, "program encoder takes dense i8[3] from weights, program other takes dense u8[3] from weights")
}
