package shape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestNamesHaveOneForm(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"batch", "batch?"},
		{"seq+past", "past+seq?"},
		{" b * a ", "a*b?"},
		{"1+n", "n+1?"},
		{"n-1", "n-1?"},
		{"-n+3", "-n+3?"},
		{"2*(n+1)-n", "n+2?"},
		{"(a+b)*(a-b)", "a*a-b*b?"},
		{"n/2", "n/2?"},
		{"(n+1)/2", "(n+1)/2?"},
		{"(4*n+5)/2", "2*n+2?"},
		{"(n-1)/2", "(n+1)/2-1?"},
		{"(n/2)/3", "(n/2)/3?"},
		{"2*n/4", "2*n/4?"}, // a product with what is rounded down
		{"(2*n)/4", "(2*n)/4?"},
		{"n-n", "0"},
		{"n-n+7", "7"},
		{"_a.b1", "_a.b1?"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			d := Named(tt.text)
			require.Equal(t, tt.want, d.String())
			if d.Size == Dynamic {
				require.Equal(t, d, Named(d.Name), "the form is stable")
				require.True(t, d.Same(Named(tt.text)))
			}
		})
	}
	deep := strings.Repeat("(", maxDepth+1) + "n" + strings.Repeat(")", maxDepth+1)
	long := strings.Repeat("n*", 2000) + "n"
	for _, text := range []string{"", "+n", "n+", "n//2", "n/0", "n/m", "2n", "n n", "(n", "n)", "a b", "9223372036854775808", "n-", "9223372036854775807*2*n", "é", deep, long} {
		require.Equal(t, Dim{Size: Dynamic}, Named(text), text)
	}
}

func TestParseReadsNames(t *testing.T) {
	for text, want := range map[string]Shape{
		"maxx2":                  nil,
		"max?x2":                 {Named("max"), N(2)},
		"2xx?":                   {N(2), Named("x")},
		"2*n+1?x3x?":             {Named("2*n+1"), N(3), {Size: Dynamic}},
		"(n+1)/2?":               {Named("(n+1)/2")},
		"b+a?x(n)/2?x4":          {Named("a+b"), Named("n/2"), N(4)},
		"n?m?":                   nil,
		"n-n?":                   nil, // has no name
		"n?x":                    nil,
		"18446744073709551616x2": nil,
	} {
		got, err := Parse(text)
		if want == nil {
			require.Equal(t, CodeBad, errs.CodeOf(err), text)
			continue
		}
		require.NoError(t, err, text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(text, diff)
		}
		back, err := Parse(got.String())
		require.NoError(t, err)
		require.True(t, got.Equal(back))
	}
}

// value is a number that is worked out beside the dimension; names are 1 to 9.
type value struct {
	d Dim
	n int64
}

func grow(r *rand.Rand, sizes map[string]int64, depth int) value {
	if depth == 0 || r.IntN(4) == 0 {
		if r.IntN(2) == 0 {
			n := r.Int64N(6)
			return value{N(n), n}
		}
		name := string(rune('a' + r.IntN(3)))
		return value{Named(name), sizes[name]}
	}
	a, b := grow(r, sizes, depth-1), grow(r, sizes, depth-1)
	switch r.IntN(4) {
	case 0:
		return value{a.d.Times(b.d), a.n * b.n}
	case 1:
		return value{a.d.Minus(b.d), a.n - b.n}
	case 2:
		by := 1 + r.Int64N(4)
		return value{a.d.FloorDiv(by), int64(math.Floor(float64(a.n) / float64(by)))}
	}
	return value{a.d.Plus(b.d), a.n + b.n}
}

// Arithmetic on dimensions is arithmetic on their values, a bound is one for all
// sizes, and what is the same has one value. Fold is another way to the value.
func TestArithmeticIsThatOfTheSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	bounded, folded := 0, 0
	for i := range 5000 {
		sizes := map[string]int64{"a": 1 + r.Int64N(9), "b": 1 + r.Int64N(9), "c": 1 + r.Int64N(9)}
		v := grow(r, sizes, 4)
		what := fmt.Sprintf("%d: %s for %v", i, v.d, sizes)
		got, err := v.d.Bind(sizes)
		switch {
		case v.d.Size < Dynamic: // a number below 0 came up on the way
			continue
		case v.d.Size == Dynamic && v.d.IsKnown() && v.n < 0:
			require.Equal(t, CodeBad, errs.CodeOf(err), what)
		case v.d.IsKnown():
			require.NoError(t, err, what)
			require.Equal(t, N(v.n), got, what)
		}
		for n := int64(-3); n < 4; n++ {
			if v.d.IsKnown() && v.d.AtLeast(n) {
				bounded++
				require.GreaterOrEqual(t, v.n, n, what)
			}
		}
		if v.d.Size == Dynamic && v.d.IsKnown() {
			folded++
			f := Fold(v.d, func(n int64) int64 { return n }, func(name string) int64 { return sizes[name] },
				func(a, b int64) int64 { return a + b }, func(a, b int64) int64 { return a * b }, floorDiv)
			require.Equal(t, v.n, f, what)
			require.Subset(t, []string{"a", "b", "c"}, v.d.Names())
			kept, _ := polynomialOf(v.d.Name)
			parsed, ok := parse(v.d.Name)
			require.True(t, ok, what)
			require.Equal(t, parsed, kept, "what arithmetic made is what its name says")
		}
	}
	require.Greater(t, bounded, 5000)
	require.Greater(t, folded, 2000)
}

func TestBounds(t *testing.T) {
	n, m := Named("n"), Named("m")
	half := n.Plus(N(1)).FloorDiv(2)
	require.True(t, n.AtLeast(1))
	require.False(t, n.AtLeast(2))
	require.True(t, n.Times(m).Plus(N(2)).AtLeast(3))
	require.False(t, n.Minus(m).AtLeast(0))
	require.True(t, n.Minus(N(1)).AtLeast(0))
	require.True(t, n.Minus(N(1)).AtMost(n))
	require.True(t, N(1).AtMost(n))
	require.False(t, N(2).AtMost(n))
	require.True(t, half.Times(N(2)).Minus(N(1)).AtMost(n), "2 floor((n+1)/2) is at most n + 1")
	require.False(t, half.AtMost(N(100)))
	whole := n.Plus(N(255)).FloorDiv(256)
	require.True(t, whole.Times(N(256)).Minus(n).AtLeast(0), "a multiple of 256 that is not below n")
	require.False(t, whole.Times(N(256)).Minus(n).AtLeast(1))
	require.True(t, whole.AtMost(n.Plus(N(254)).FloorDiv(256).Plus(N(1))))
	require.False(t, whole.AtMost(n.FloorDiv(256)))
	require.False(t, Dim{Size: Dynamic}.AtLeast(0))
	require.False(t, N(2).Minus(N(3)).AtLeast(-5), "a negative number is no size")
	require.True(t, n.Times(N(6)).DivisibleBy(3))
	require.False(t, n.DivisibleBy(2))
	require.False(t, n.DivisibleBy(0))
	require.True(t, N(0).DivisibleBy(2))
	require.Equal(t, Dim{Size: Dynamic}, n.FloorDiv(0))
	require.Equal(t, N(7), Of(7).Product())
	require.Equal(t, n.Times(m).Times(N(3)), Shape{n, N(3), m}.Product())
	require.Equal(t, N(0), Shape{n, N(0)}.Product())
	require.False(t, Of(Dynamic).Same(Of(Dynamic)), "sizes without a name are equal to none")
	require.True(t, Shape{n, N(2)}.Same(Shape{n, N(2)}))
	require.True(t, n.IsName())
	require.False(t, half.IsName())
	require.Nil(t, Dim{Size: Dynamic}.Names())
}

// Numbers and names that grow too large are refused or unknown, never wrong.
func TestArithmeticDoesNotWrap(t *testing.T) {
	big := N(math.MaxInt64)
	require.Less(t, big.Plus(N(1)).Size, int64(Dynamic))
	require.Less(t, big.Times(N(2)).Size, int64(Dynamic))
	require.Less(t, N(1).Minus(N(2)).Plus(Named("n")).Size, int64(Dynamic), "what was refused stays so")
	require.Equal(t, N(0), big.Times(N(0)))
	n := Named("n")
	require.Equal(t, Dim{Size: Dynamic}, n.Times(big).Times(N(2)))
	require.Equal(t, Dim{Size: Dynamic}, n.Times(big).Minus(n.Times(big).Times(N(-1))))
	long := n
	for range 200 {
		long = long.Times(long.Plus(N(1)))
	}
	require.Equal(t, Dim{Size: Dynamic}, long)
	_, err := n.Times(n).Bind(map[string]int64{"n": math.MaxInt64})
	require.Equal(t, CodeOverflow, errs.CodeOf(err))
	_, err = Shape{{Size: Dynamic, Name: "no name"}}.Bind(nil)
	require.Equal(t, CodeBad, errs.CodeOf(err))
	left, err := Shape{n, Named("m")}.Bind(map[string]int64{"n": 2})
	require.NoError(t, err)
	require.Equal(t, Shape{N(2), Named("m")}, left)
	for text, want := range map[string]string{"n*m": "2*m", "m+n": "m+2", "(n+m)/3*k": "(m+2)/3*k", "n*m-n*k+n": "-2*k+2*m+2", "(4*n+m)/8-m": "-m+(m)/8+1"} {
		got, err := Named(text).Bind(map[string]int64{"n": 2})
		require.NoError(t, err)
		require.Equal(t, Named(want), got, text)
	}
}

func TestBind(t *testing.T) {
	arg := func(name, want, given string) Argument {
		w, err := Parse(want)
		require.NoError(t, err)
		g, err := Parse(given)
		require.NoError(t, err)
		return Argument{name, w, g}
	}
	for _, tt := range []struct {
		name string
		args []Argument
		want map[string]int64
		says string
	}{
		{"equal names", []Argument{arg("x", "n?x3xm?", "2x3x4"), arg("y", "m?xn?", "4x2")}, map[string]int64{"n": 2, "m": 4}, ""},
		{"a sum before its names", []Argument{arg("x", "n+m?", "6"), arg("y", "m?xn?", "4x2")}, map[string]int64{"n": 2, "m": 4}, ""},
		{"no name", []Argument{arg("x", "?x?", "6x7")}, map[string]int64{}, ""},
		{"a sum", []Argument{arg("x", "n+1?", "6")}, map[string]int64{"n": 5}, ""},
		{"a sum of what is not known", []Argument{arg("x", "n+m?", "6")}, map[string]int64{}, ""},
		{"a multiple", []Argument{arg("x", "32*h?x8*w+4?", "96x20")}, map[string]int64{"h": 3, "w": 2}, ""},
		{"a name and its multiple", []Argument{arg("x", "2*n?", "6"), arg("y", "n?", "3")}, map[string]int64{"n": 3}, ""},
		{"no multiple", []Argument{arg("x", "32*h?", "90")}, nil, `dimension 0 of argument "x", 32*h?, is 90; it is one of 32, 64, 96, ...`},
		{"too few", []Argument{arg("x", "n+4?", "4")}, nil, "it is one of 5, 6, 7, ..."},
		{"two multiples", []Argument{arg("x", "2*n?x3*n?", "4x9")}, nil, "is 9, and 3*n? is 6 here"},
		{"another size", []Argument{arg("x", "n?xn?", "2x3")}, nil, `dimension 1 of argument "x", n?, is 3, and 2 in argument "x"`},
		{"another number", []Argument{arg("x", "n?x3", "2x4")}, nil, `dimension 1 of argument "x" is 4, want 3`},
		{"another rank", []Argument{arg("x", "n?", "2x4")}, nil, `argument "x" is 2x4, want n?`},
		{"nothing", []Argument{arg("x", "?", "0")}, nil, "at least 1"},
		{"another sum", []Argument{arg("x", "n?x2*n?", "3x5")}, nil, "is 5, and 2*n? is 6 here"},
		{"a sum below 0", []Argument{arg("x", "n?xn-3?", "1x5")}, nil, "is -2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Bind(tt.args...)
			if tt.says != "" {
				require.Equal(t, CodeSizes, errs.CodeOf(err))
				require.ErrorContains(t, err, tt.says)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func FuzzNames(f *testing.F) {
	for _, seed := range []string{"n", "a*b+2", "(n+1)/2-1", "((n))", "-n", "2*n/3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := Named(text)
		if d.Size == Dynamic && d.Name != "" {
			require.Equal(t, d, Named(d.Name))
			back, err := Parse(d.String())
			require.NoError(t, err)
			require.Equal(t, Shape{d}, back)
		}
	})
}
