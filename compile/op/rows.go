package op

// Traits of most rows; the methods below change them. Those of approximations have no
// precision: each row says whether the function stays accurate in a narrow type.
var (
	moves       = Traits{Role: Moves, Rounding: Exact, Precision: Follow, Memory: Fresh, Reduces: Nothing, Terms: NoTerms, Rows: Elements}
	exact       = computes(Exact).follow()
	correct     = computes(Correct).follow()
	near        = computes(Near).follow()
	sums        = computes(Sum).precision(Wide)
	approximate = computes(Approximate)
	periodic    = computes(Periodic).precision(Wide)
	cancelling  = computes(Cancelling)
)

func computes(r Rounding) Traits {
	return Traits{Role: Computes, Rounding: r, Memory: Fresh, Reduces: Nothing, Terms: NoTerms, Rows: Elements, Padding: Apart}
}

func (t Traits) role(r Role) Traits           { t.Role = r; return t }
func (t Traits) precision(p Precision) Traits { t.Precision = p; return t }
func (t Traits) memory(m Memory) Traits       { t.Memory = m; return t }

// reduces also says that sums and the like leave out what a text adds to a named size.
func (t Traits) reduces(r Reduces) Traits {
	if t.Reduces = r; r != Nothing {
		t.Padding = LeftOut
	}
	return t
}

func (t Traits) padding(p Padding) Traits { t.Padding = p; return t }
func (t Traits) terms(s Terms) Traits     { t.Terms = s; return t }
func (t Traits) rows(r Rows) Traits       { t.Rows = r; return t }
func (t Traits) law(a Algebra) Traits     { t.Algebra |= a; return t }

// follow marks operations that are accurate enough in a narrow type.
func (t Traits) follow() Traits { return t.precision(Follow) }

// wide marks operations that stay in f32.
func (t Traits) wide() Traits { return t.precision(Wide) }

func (t Traits) unary(f func(float64) float64) Traits           { t.Scalar.Unary = f; return t }
func (t Traits) binary(f func(a, b float64) float64) Traits     { t.Scalar.Binary = f; return t }
func (t Traits) scaled(f func(x, by float64) float64) Traits    { t.Scalar.Scaled = f; return t }
func (t Traits) test(f func(float64) bool) Traits               { t.Scalar.Test = f; return t }
func (t Traits) bounds(f Bounds) Traits                         { t.Bounds = f; return t }
func (t Traits) limits(f Limits) Traits                         { t.Limits = f; return t }
func (t Traits) says(stableHLO string) Traits                   { t.StableHLO.Name = stableHLO; return t }
func (t Traits) varies(f func(t Traits, a Attrs) Traits) Traits { t.Varies = f; return t }
func (t Traits) saysWide(stableHLO string) Traits               { t.StableHLO = Spelling{stableHLO, true}; return t }
