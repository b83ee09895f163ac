package main

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/chunk"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
)

type heard []chunk.Range

func (h heard) Speech(context.Context, []float32) ([]chunk.Range, error) {
	if h == nil {
		return nil, errors.New("deaf")
	}
	return h, nil
}

func TestSpoken(t *testing.T) {
	const rate = 100
	samples := make([]float32, 100*rate)
	for i := range samples {
		samples[i] = 1
	}
	clear(samples[68*rate : 69*rate]) // the quietest place to cut the long segment
	got, err := spoken(context.Background(), heard{{Start: 100, End: 300}, {Start: 500, End: 3000}, {Start: 4000, End: 8000}}, samples, rate)
	require.NoError(t, err)
	require.Equal(t, chunk.Range{Start: 100, End: 3000}, got[0])
	require.Len(t, got, 3)
	require.Equal(t, 4000, got[1].Start)
	require.InDelta(t, 6890, got[1].End, 60)
	require.Equal(t, chunk.Range{Start: got[1].End, End: 8000}, got[2])
	_, err = spoken(context.Background(), heard(nil), samples, rate)
	require.EqualError(t, err, "deaf")
}

func TestNoDetector(t *testing.T) {
	_, _, err := openVAD(program.Options{})
	require.Equal(t, codeCPU, errs.CodeOf(err))
}
