package harness

import (
	"fmt"
	"iter"
	"time"

	"github.com/spf13/pflag"

	"github.com/skainet-dev/skainet-go/errs"
)

// Rounds is how long a benchmark measures: a number of rounds, in each of which each contestant
// has one turn, or as many as a time allows.
type Rounds struct {
	Number int           // measured rounds of each part; it says nothing where there is a time
	WarmUp int           // rounds before them
	Time   time.Duration // of the whole benchmark, with what it takes to load; 0 for the number
}

// Flags declares --rounds, --warm-up and --time; the defaults are what r holds.
func (r *Rounds) Flags(f *pflag.FlagSet) {
	f.IntVar(&r.Number, "rounds", r.Number, "measured rounds; each contestant has one turn in a round")
	f.IntVar(&r.WarmUp, "warm-up", r.WarmUp, "warm-up rounds, in which memory is paged in")
	r.TimeFlag(f)
}

// TimeFlag declares --time.
func (r *Rounds) TimeFlag(f *pflag.FlagSet) {
	f.DurationVar(&r.Time, "time", 0, "time of the whole benchmark, such as 2m, in place of a number of rounds; at least one is measured")
}

// Check rejects what cannot be measured.
func (r Rounds) Check() error {
	if r.Number < 1 || r.WarmUp < 0 || r.Time < 0 {
		return errs.New(CodeFlags, "%d rounds after %d to warm up in %v, want at least 1 after 0", r.Number, r.WarmUp, r.Time)
	}
	return nil
}

// Told returns "round 3 of 5", or "round 3" where time decides.
func (r Rounds) Told(i int) string {
	if r.Time > 0 {
		return fmt.Sprintf("round %d", i+1)
	}
	return fmt.Sprintf("round %d of %d", i+1, r.WarmUp+r.Number)
}

// Shares divides the time of a benchmark over its parts.
type Shares struct {
	rounds Rounds
	left   int // parts
	end    time.Time
	now    func() time.Time
}

// Begin starts the clock of a benchmark of some parts.
func (r Rounds) Begin(parts int) *Shares { return r.begin(parts, time.Now) }

func (r Rounds) begin(parts int, now func() time.Time) *Shares {
	return &Shares{r, parts, now().Add(r.Time), now}
}

// Next begins the next part, whose share of the time is what the parts before it left, divided
// by the parts that are left. It returns the rounds of the part, with their numbers from 0, and
// whether they are measured: those to warm up are not. Call it before the part's contestants are
// started, so that their loading is in its share.
func (s *Shares) Next() iter.Seq2[int, bool] {
	begun := s.now()
	end := begun.Add(s.end.Sub(begun) / time.Duration(max(s.left, 1)))
	s.left--
	return func(yield func(int, bool) bool) {
		for i := 0; ; i++ {
			measured := i - s.rounds.WarmUp // rounds before this one
			start := s.now()
			if s.rounds.Time == 0 && measured >= s.rounds.Number || !yield(i, measured >= 0) {
				return
			}
			// One more would take as long as this one.
			if now := s.now(); s.rounds.Time > 0 && measured >= 0 && now.Add(now.Sub(start)).After(end) {
				return
			}
		}
	}
}
