package parallel

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOrderIsKept(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 8} {
		for _, n := range []int64{0, 1, 2, 3, 50} {
			var reads []int64
			var states atomic.Int64
			p := New(workers, n, func() *int64 { states.Add(1); return new(int64) },
				func(i int64, s *int64) error { reads = append(reads, i); *s = i; return nil },
				func(i int64, s *int64) error { *s *= *s; return nil })
			var got, want, order []int64
			for i := range n {
				want, order = append(want, i*i), append(order, i)
			}
			for {
				s, ok, err := p.Next()
				require.NoError(t, err)
				if !ok {
					break
				}
				got = append(got, *s)
			}
			require.Equal(t, want, got)
			require.Equal(t, order, reads)
			if workers > 0 {
				require.LessOrEqual(t, states.Load(), int64(workers+1))
			}
		}
	}
}

// Workers run concurrently: each waits for another one's start.
func TestWorkIsParallel(t *testing.T) {
	met := make(chan struct{})
	p := New(2, 2, func() int { return 0 }, func(int64, int) error { return nil },
		func(i int64, _ int) error {
			if i == 0 {
				<-met
			} else {
				close(met)
			}
			return nil
		})
	_, ok, err := p.Next()
	require.NoError(t, err)
	require.True(t, ok)
}

func TestFirstErrorInOrder(t *testing.T) {
	boom, late := errors.New("boom"), errors.New("late")
	tests := []struct {
		name       string
		read, work func(i int64, _ int) error
	}{
		{"read", func(i int64, _ int) error {
			if i == 3 {
				return boom
			}
			return nil
		}, func(i int64, _ int) error { return nil }},
		{"work", func(i int64, _ int) error { return nil }, func(i int64, _ int) error {
			switch {
			case i == 3:
				return boom
			case i > 3:
				return late
			}
			return nil
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := New(4, 100, func() int { return 0 }, tt.read, tt.work)
			for range 3 {
				_, ok, err := p.Next()
				require.NoError(t, err)
				require.True(t, ok)
			}
			for range 2 {
				_, ok, err := p.Next()
				require.ErrorIs(t, err, boom)
				require.False(t, ok)
			}
		})
	}
}
