package quant

// xorwow is the generator of Marsaglia, "Xorshift RNGs", 2003, section 3.1, as
// Kotlin's Random(seed: Int) seeds it.
type xorwow struct{ x, y, z, w, v, add uint32 }

func newXorwow(seed int32) xorwow {
	a, b := uint32(seed), uint32(seed>>31)
	g := xorwow{a, b, 0, 0, ^a, a<<10 ^ b>>4}
	for range 64 {
		g.next()
	}
	return g
}

func (g *xorwow) next() uint32 {
	t := g.x ^ g.x>>2
	g.x, g.y, g.z, g.w = g.y, g.z, g.w, g.v
	g.v = t ^ t<<1 ^ g.v ^ g.v<<4
	g.add += 362437
	return g.v + g.add
}

// bit returns the next bit of the stream of the seed, Kotlin's nextBoolean.
func (g *xorwow) bit() uint32 { return g.next() >> 31 }

// flip negates the elements at which the stream of the seed has 1.
func flip(x []float32, seed int32) {
	g := newXorwow(seed)
	for i, v := range x {
		if g.bit() == 1 {
			x[i] = -v
		}
	}
}

// hadamard is the Walsh-Hadamard transform in natural order, made orthogonal.
// len(x) is a power of two. It is its own inverse but for rounding.
func hadamard(x []float32) {
	for half := 1; half < len(x); half *= 2 {
		for at := 0; at < len(x); at += 2 * half {
			low, high := x[at:at+half], x[at+half:at+2*half]
			for i, a := range low {
				b := high[i]
				low[i], high[i] = a+b, a-b
			}
		}
	}
	norm := 1 / sqrt32(float32(len(x)))
	for i := range x {
		x[i] *= norm
	}
}

// TurboSeed is the seed that SKaiNET's cache gives the keys of a layer and head
// at a position; values take it with 0x5A5A5A5A xored in.
func TurboSeed(layer, head, position int32) int32 {
	h := uint32((layer*31+head)*31 + position)
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return int32(h ^ h>>16)
}
