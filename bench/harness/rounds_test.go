package harness

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// clock is moved by what is measured.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// part runs a part whose contestants take some seconds to load and each round of which takes as
// many, and returns its numbers of rounds to warm up and of measured ones.
func (c *clock) part(t *testing.T, s *Shares, load, round float64) (warm, measured int) {
	t.Helper()
	rounds := s.Next()
	c.at = c.at.Add(time.Duration(load * float64(time.Second)))
	for i, counts := range rounds {
		require.Equal(t, warm+measured, i)
		if counts {
			measured++
		} else {
			require.Zero(t, measured, "warm-up comes first")
			warm++
		}
		c.at = c.at.Add(time.Duration(round * float64(time.Second)))
	}
	return warm, measured
}

func TestRounds(t *testing.T) {
	for _, tt := range []struct {
		name        string
		rounds      Rounds
		load, round []float64 // of each part
		want        [][2]int
	}{
		{"by number", Rounds{Number: 3, WarmUp: 1}, []float64{5, 5}, []float64{1, 100}, [][2]int{{1, 3}, {1, 3}}},
		{"by number, no warm-up", Rounds{Number: 1}, []float64{0}, []float64{1}, [][2]int{{0, 1}}},
		{"by time", Rounds{Number: 1, WarmUp: 1, Time: 10 * time.Second}, []float64{2}, []float64{1}, [][2]int{{1, 7}}},
		{"the last one would be too late", Rounds{Number: 1, Time: 10 * time.Second}, []float64{0}, []float64{3}, [][2]int{{0, 3}}},
		{"at least one", Rounds{Number: 9, WarmUp: 2, Time: time.Second}, []float64{50}, []float64{50}, [][2]int{{2, 1}}},
		{"what one part leaves is the next one's", Rounds{Number: 1, Time: 20 * time.Second}, []float64{0, 0}, []float64{6, 2}, [][2]int{{0, 1}, {0, 7}}},
		{"one that takes too long leaves less", Rounds{Number: 1, Time: 20 * time.Second}, []float64{0, 0}, []float64{16, 2}, [][2]int{{0, 1}, {0, 2}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &clock{time.Unix(1000, 0)}
			s := tt.rounds.begin(len(tt.want), c.now)
			for i, want := range tt.want {
				warm, measured := c.part(t, s, tt.load[i], tt.round[i])
				require.Equal(t, want, [2]int{warm, measured}, "part %d", i)
			}
		})
	}
	// A caller may leave early.
	for range (Rounds{Number: 5}).Begin(1).Next() {
		break
	}
}

func TestRoundsFlags(t *testing.T) {
	require.NoError(t, Rounds{Number: 1}.Check())
	for _, r := range []Rounds{{}, {Number: 1, WarmUp: -1}, {Number: 1, Time: -1}} {
		require.Equal(t, CodeFlags, errs.CodeOf(r.Check()), "%+v", r)
	}
	require.Equal(t, "round 3 of 6", Rounds{Number: 5, WarmUp: 1}.Told(2))
	require.Equal(t, "round 3", Rounds{Number: 5, WarmUp: 1, Time: 1}.Told(2))
}
