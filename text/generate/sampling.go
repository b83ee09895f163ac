package generate

import (
	"cmp"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/threefry"
)

// Window is the number of newest tokens that the repeat penalty considers.
const Window = 64

// Sampling configures how tokens are chosen. The zero value is greedy: it takes the
// most likely token.
type Sampling struct {
	Temperature   float32 // 0 takes the likeliest token
	TopK          int     // keep so many of the likeliest; 0 keeps all
	TopP          float32 // keep the likeliest that have this share together; 0 and 1 keep all
	MinP          float32 // keep what is this likely beside the likeliest; 0 keeps all
	RepeatPenalty float32 // above 1 makes the newest Window tokens less likely; 0 and 1 do nothing
	Seed          uint64
}

// Check returns GENERATE_SAMPLING for an invalid setting.
func (s Sampling) Check() error {
	bad := func(name string, value any, want string) error {
		return errs.New(CodeSampling, "%s is %v", name, value).On(name).Hint("give %s", want)
	}
	finite := func(v float32) bool { return v >= 0 && !math.IsInf(float64(v), 0) }
	switch {
	case !finite(s.Temperature):
		return bad("temperature", s.Temperature, "a number of at least 0")
	case s.TopK < 0 || s.TopK > math.MaxInt32:
		return bad("top_k", s.TopK, "a number of tokens, or 0 for all")
	case !(s.TopP >= 0 && s.TopP <= 1):
		return bad("top_p", s.TopP, "a share above 0, at most 1")
	case !(s.MinP >= 0 && s.MinP <= 1):
		return bad("min_p", s.MinP, "a share from 0 to 1")
	case s.RepeatPenalty != 0 && !(s.RepeatPenalty >= 0.01 && s.RepeatPenalty <= 100):
		return bad("repeat_penalty", s.RepeatPenalty, "a factor from 0.01 to 100 such as 1.1, or 1 for none")
	}
	return nil
}

// topP and penalty return the settings with 0 replaced by the value that has no effect.
func (s Sampling) topP() float32 {
	if s.TopP == 0 {
		return 1
	}
	return s.TopP
}

func (s Sampling) penalty() float32 {
	if s.RepeatPenalty == 0 {
		return 1
	}
	return s.RepeatPenalty
}

// Sampler chooses tokens by their logits. It is the definition that package lang/nn
// (Sample, Penalize, Gumbel) computes inside a program: all arithmetic is in f32,
// and sums of probabilities, logarithms and exponentials alone may differ there in
// their last bits.
//
//   - The logits of the newest Window tokens are divided by RepeatPenalty where they
//     are above 0 and multiplied elsewhere.
//   - z = logits - max(logits).
//   - TopK keeps tokens with z at least the K-th largest, including ties.
//   - TopP keeps the most likely of those until the sum of e^z reaches its share of
//     the sum over all of those; ties with the last one are kept.
//   - MinP keeps tokens with z at least log(MinP).
//   - The first token kept with the largest z/Temperature + Gumbel is chosen. Gumbel
//     depends on the seed, the number of tokens chosen before, and the token: it is
//     -log(-log1p(-v)) with v = min((h + 1/2) 2^-31, 1 - 2^-24), where h is the upper
//     31 bits of the first word of Threefry-2x32 with 20 rounds, of the counter
//     (token, tokens chosen before) under the key seed.
//
// The largest of independent z/T + Gumbel is at a token with its probability under
// softmax(z/T) (Gumbel, 1954; Yellott, 1977), so the choice depends on no sum and no
// order of summation. A token whose probability is below 2^-32 is
// practically never chosen.
type Sampler struct {
	s      Sampling
	recent []int32 // at most Window, the newest last
	step   uint32
}

// NewSampler returns a sampler that has seen no token.
func NewSampler(s Sampling) (*Sampler, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return &Sampler{s: s}, nil
}

// Observe records tokens of the text, for the repeat penalty.
func (s *Sampler) Observe(tokens ...int32) {
	s.recent = append(s.recent, tokens...)
	if n := len(s.recent); n > Window {
		s.recent = slices.Clone(s.recent[n-Window:])
	}
}

// Next chooses a token by logits, one for each token of the vocabulary; they are
// overwritten. The token is not observed. Logits that have no largest finite value are GENERATE_LOGITS.
func (s *Sampler) Next(logits []float32) (int32, error) {
	s.penalize(logits)
	best, err := likeliest(logits)
	if err != nil {
		return 0, err
	}
	step := s.step
	s.step++
	if s.s.Temperature == 0 {
		return best, nil
	}
	top := logits[best]
	for i := range logits {
		logits[i] -= top
	}
	floor := float32(lowest)
	if k := s.s.TopK; k > 0 && k < len(logits) {
		floor = kth(logits, k)
	}
	if p := s.s.topP(); p < 1 {
		floor = max(floor, nucleus(logits, floor, p))
	}
	if s.s.MinP > 0 {
		floor = max(floor, min(0, float32(math.Log(float64(s.s.MinP)))))
	}
	return s.race(logits, floor, best, step), nil
}

func (s *Sampler) penalize(logits []float32) {
	p := s.s.penalty()
	if p == 1 {
		return
	}
	seen := make(map[int32]bool, len(s.recent))
	for _, t := range s.recent {
		if t < 0 || int(t) >= len(logits) || seen[t] {
			continue
		}
		seen[t] = true
		if logits[t] > 0 {
			logits[t] /= p
		} else {
			logits[t] *= p
		}
	}
}

// likeliest returns the first token with the largest logit.
func likeliest(logits []float32) (int32, error) {
	best, top, sum := -1, float32(math.Inf(-1)), float32(0)
	for i, v := range logits {
		if v > top {
			best, top = i, v
		}
		sum += v
	}
	if sum != sum { // a NaN stays one, and infinities of both signs make one
		for i, v := range logits {
			if v != v {
				return 0, errs.New(CodeLogits, "the logit of token %d is NaN", i).
					Hint("the weights or the program are damaged; run the parity test of the model")
			}
		}
	}
	if best < 0 || math.IsInf(float64(top), 1) {
		return 0, noChoice(len(logits))
	}
	return int32(best), nil
}

func noChoice(logits int) error {
	return errs.New(CodeLogits, "none of %d logits is finite", logits).
		Hint("the weights or the program are damaged; run the parity test of the model")
}

// lowest is the least logit of a token that may be chosen.
const lowest = -math.MaxFloat32

// gumbelMost is above every Gumbel, the largest of which is 22.2.
const gumbelMost = 23

// race returns the token with the largest z/Temperature + Gumbel. Work is only done
// for tokens that may still win.
func (s *Sampler) race(z []float32, floor float32, best int32, step uint32) int32 {
	key := threefry.Key(s.s.Seed)
	score := gumbel(drawn(key, best, step))
	for i, v := range z {
		if v < floor {
			continue
		}
		y := v / s.s.Temperature
		behind := score - y
		if behind > gumbelMost {
			continue
		}
		h := drawn(key, int32(i), step)
		if behind > 0 && h > enough[int(behind)] {
			continue
		}
		if y += gumbel(h); y > score || y == score && int32(i) < best {
			best, score = int32(i), y
		}
	}
	return best
}

// enough has for k the largest h whose Gumbel may be k or more: it is that only if
// v is less than e^-k, and one part in a hundred is added for roundings.
var enough = func() (t [gumbelMost + 1]uint32) {
	for k := range t {
		t[k] = uint32(min(1.01*math.Exp(-float64(k))*(1<<31)+1, 1<<31))
	}
	return t
}()

// drawn returns h of a token.
func drawn(key [2]uint32, token int32, step uint32) uint32 {
	return threefry.Words(key, [2]uint32{uint32(token), step})[0] >> 1
}

func gumbel(h uint32) float32 {
	v := min((float32(int32(h))+0.5)*(1.0/(1<<31)), 1-1.0/(1<<24))
	e := -float32(math.Log1p(float64(-v)))
	return -float32(math.Log(float64(e)))
}

// kth returns the k-th largest of z, 0 < k < len(z), or a value below all tokens
// that may be chosen.
func kth(z []float32, k int) float32 {
	h := slices.Clone(z[:k])
	slices.Sort(h) // which is a heap with the least at its root
	for _, v := range z[k:] {
		if v <= h[0] {
			continue
		}
		at := 0
		for child := 1; child < k; child = 2*at + 1 {
			if child+1 < k && h[child+1] < h[child] {
				child++
			}
			if v <= h[child] {
				break
			}
			h[at], at = h[child], child
		}
		h[at] = v
	}
	return max(h[0], lowest)
}

// nucleus returns the z of the last of the most likely tokens that together have the
// share p of the probability of all tokens with z of at least floor.
func nucleus(z []float32, floor float32, p float32) float32 {
	// The likeliest token has weight 1; what 2^18 tokens below -40 add is far less
	// than the last bit of the sum.
	total := 0.0
	for _, v := range z {
		if v >= floor && v > -40 {
			total += math.Exp(float64(v))
		}
	}
	share, sum := float64(p)*total, 0.0
	var kept []float32
	// Few tokens are likely, and sorting all would take longer than the rest.
	for above, cut := float32(1), float32(-8); above > -40; above, cut = cut, 2*cut {
		kept = kept[:0]
		for _, v := range z {
			if v >= floor && v < above && v >= cut {
				kept = append(kept, v)
			}
		}
		slices.SortFunc(kept, func(a, b float32) int { return cmp.Compare(b, a) })
		for _, v := range kept {
			if sum += math.Exp(float64(v)); sum >= share {
				return v
			}
		}
	}
	return max(floor, lowest)
}
