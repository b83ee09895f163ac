package gemm

import "sync"

const (
	// blockRows rows of a are packed at a time, over blockDepth of k: about the size
	// of the L2 cache. It is a multiple of the rows of every tile.
	blockRows  = 480
	blockDepth = 384
	// smallWork is the number of multiplications below which the matrices of a
	// batch are not split.
	smallWork = 1 << 22
)

// buffers holds memory for panels.
var buffers = sync.Pool{New: func() any { return new([]float32) }}

func buffer(n int) *[]float32 {
	p := buffers.Get().(*[]float32)
	if cap(*p) < n {
		*p = make([]float32, n)
	}
	*p = (*p)[:n]
	return p
}

func (v *kernels) multiply(c Result, a, b Operand, s Size, run Runner) {
	if s.Batch == 0 || s.M == 0 || s.N == 0 {
		return
	}
	one := func(i int, run Runner) {
		// Strides of operands without elements may point beyond them.
		at := func(x []float32, stride int) []float32 { return x[min(i*stride, len(x)):] }
		v.matrix(at(c.Data, c.Batch), c.Row,
			Operand{Data: at(a.Data, a.Batch), Row: a.Row, Col: a.Col},
			Operand{Data: at(b.Data, b.Batch), Row: b.Row, Col: b.Col}, s, run)
	}
	if s.Batch > 1 && float64(s.M)*float64(s.N)*float64(s.K) < smallWork {
		// Tiny matrices go to a worker together.
		group := max(1, smallWork/64/(s.M*s.N*max(s.K, 1)))
		run((s.Batch+group-1)/group, func(task int) {
			for i := task * group; i < min((task+1)*group, s.Batch); i++ {
				one(i, Serial)
			}
		})
		return
	}
	for i := range s.Batch {
		one(i, run)
	}
}

// matrix multiplies one pair of matrices.
func (v *kernels) matrix(c []float32, ldc int, a, b Operand, s Size, run Runner) {
	switch {
	case s.K > 0 && s.M == 1 && (b.Row == 1 || b.Col == 1):
		v.vector(c[:s.N], strided(a.Data, s.K, a.Col), b.Data, b.Col, b.Row, run)
	case s.K > 0 && s.N == 1 && (a.Row == 1 || a.Col == 1):
		y := c
		if ldc != 1 {
			y = make([]float32, s.M)
		}
		v.vector(y[:s.M], strided(b.Data, s.K, b.Row), a.Data, a.Row, a.Col, run)
		if ldc != 1 {
			for i, e := range y {
				c[i*ldc] = e
			}
		}
	default:
		v.product(c, ldc, a, right{pack: func(dst []float32, width, k, depth, j, cols int) {
			v.pack(dst, width, b.Data[k*b.Row+j*b.Col:], cols, depth, b.Col, b.Row)
		}}, s, run)
	}
}

// right is the right operand of a product: what packs its strips, and where its
// rows are if they can be read in place.
type right struct {
	pack Pack
	Shifted
}

// product computes c from panels and strips: blocks of a, which are packed, by
// strips of b, which are as wide as a tile.
func (v *kernels) product(c []float32, ldc int, a Operand, b right, s Size, run Runner) {
	if s.K == 0 {
		for i := range s.M {
			clear(c[i*ldc:][:s.N])
		}
		return
	}
	strips := (s.N + v.cols - 1) / v.cols
	// Blocks of one size, so that none is too small to be worth its strips.
	blocks := (s.M + blockRows - 1) / blockRows
	block := (s.M + blocks - 1) / blocks
	block += (v.rows - block%v.rows) % v.rows
	for i0 := 0; i0 < s.M; i0 += block {
		rows := min(block, s.M-i0)
		panels := (rows + v.rows - 1) / v.rows
		// A task has one strip and all panels; several strips if there are few panels,
		// some of the panels if there are few strips.
		group, parts := max(1, 16/panels), 1
		if strips < 16 {
			parts = min((15+strips)/strips, (panels+7)/8)
		}
		part := (panels + parts - 1) / parts
		for k0 := 0; k0 < s.K; k0 += blockDepth {
			depth := min(blockDepth, s.K-k0)
			left := buffer(panels * v.rows * depth)
			run((panels+7)/8, func(task int) {
				for p := task * 8; p < min(task*8+8, panels); p++ {
					i := i0 + p*v.rows
					v.pack((*left)[p*v.rows*depth:][:v.rows*depth], v.rows,
						a.Data[i*a.Row+k0*a.Col:], min(v.rows, s.M-i), depth, a.Row, a.Col)
				}
			})
			run((strips+group-1)/group*parts, func(task int) {
				right := buffer(v.cols*depth + v.rows*v.cols)
				defer buffers.Put(right)
				buffer, edge := (*right)[:v.cols*depth], (*right)[v.cols*depth:]
				first, last := task%parts*part, min((task%parts+1)*part, panels)
				for j := task / parts * group; j < min((task/parts+1)*group, strips); j++ {
					cols := min(v.cols, s.N-j*v.cols)
					strip, at := buffer, v.packed
					if b.At != nil && cols == v.cols {
						strip, at = b.Data[j*v.cols:], b.At[k0:]
					} else {
						b.pack(strip, v.cols, k0, depth, j*v.cols, cols)
					}
					for p := first; p < last; p++ {
						i := i0 + p*v.rows
						v.tileAt(c[i*ldc+j*v.cols:], ldc, (*left)[p*v.rows*depth:], strip, at, edge,
							min(v.rows, s.M-i), cols, depth, k0 > 0)
					}
				}
			})
			buffers.Put(left)
		}
	}
}

// tileAt computes [rows, cols] of c; a partial tile goes through edge, so that no kernel
// writes beyond it.
func (v *kernels) tileAt(c []float32, ldc int, panel, strip []float32, at []int, edge []float32, rows, cols, depth int, add bool) {
	more := 0
	if add {
		more = 1
	}
	n := 0
	for v.tiles[n].rows < rows {
		n++
	}
	t := v.tiles[n]
	if rows == t.rows && cols == v.cols {
		_ = c[(rows-1)*ldc+cols-1]
		t.f(depth, &panel[0], &strip[0], &at[0], &c[0], ldc, more)
		return
	}
	if add {
		for r := range rows {
			copy(edge[r*v.cols:][:cols], c[r*ldc:])
		}
	}
	t.f(depth, &panel[0], &strip[0], &at[0], &edge[0], v.cols, more)
	for r := range rows {
		copy(c[r*ldc:][:cols], edge[r*v.cols:])
	}
}

// pack copies n <= width vectors of depth elements into dst [depth, width].
// Elements of dst that it does not write only affect parts of tiles that are discarded.
func (v *kernels) pack(dst []float32, width int, src []float32, n, depth, across, along int) {
	switch {
	case across == 1 && n == v.cols && width == n && v.copy != nil:
		_ = src[(depth-1)*along+n-1]
		v.copy(depth, &src[0], along, &dst[:depth*width][0])
	case across == 1:
		for p := range depth {
			copy(dst[p*width:][:n], src[p*along:])
		}
	case along == 1:
		r := 0
		for ; r+4 <= n; r += 4 {
			s0, s1, s2, s3 := src[r*across:][:depth], src[(r+1)*across:][:depth], src[(r+2)*across:][:depth], src[(r+3)*across:][:depth]
			done := 0
			if v.turn4 != nil && depth >= 4 {
				done = depth &^ 3
				v.turn4(done, &s0[0], across, &dst[r], width)
			}
			for p := done; p < depth; p++ {
				d := dst[p*width+r:][:4]
				d[0], d[1], d[2], d[3] = s0[p], s1[p], s2[p], s3[p]
			}
		}
		for ; r < n; r++ {
			for p, e := range src[r*across:][:depth] {
				dst[p*width+r] = e
			}
		}
	default:
		for r := range n {
			for p := range depth {
				dst[p*width+r] = src[r*across+p*along]
			}
		}
	}
}
