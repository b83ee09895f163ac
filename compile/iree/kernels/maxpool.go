package kernels

// MaxPool is y[z, i, j] = the maximum over taps of x[z, i stride - low + ..., j stride - low +
// ...], all f32, with -inf outside. It copies parts of a channel as Depthwise does.
type MaxPool struct{ Conv }

// Supported reports whether there is a kernel.
func (m MaxPool) Supported() bool { return Depthwise(m).Supported() }

// Symbol returns the kernel's name.
func (m MaxPool) Symbol() string { return m.named("max_pool") }

// Sizes names the operands after the tensor: the sizes of x and of y, and the border.
var poolSizes = []string{"z", "height", "width", "rows", "columns", "top", "left"}

// Text returns the executable in this form.
func (m MaxPool) Text(f Form) string {
	d := Depthwise(m)
	return sizedOf(f, m.Symbol(), 1, poolSizes, []dealt{{of: "z", by: groupChannels}}, func(b *builder, in []value, y value, sizes []value) {
		z := sizes[0]
		p := part{
			builder: b, Depthwise: d, height: sizes[1], width: sizes[2], rows: sizes[3], columns: sizes[4], top: sizes[5], left: sizes[6],
			x:       b.view(in[0], f32, []value{z, sizes[1], sizes[2]}, -1, -1, -1),
			y:       b.view(y, f32, []value{z, b.mul(sizes[3], sizes[4])}, -1, -1),
			copy:    b.scratch(f32, d.memoryRows(), d.pitch()),
			outside: b.constant(vectorType, "0xFF800000"),
		}
		first := b.mul(b.workgroup("id", 0), b.index(groupChannels))
		b.loop(first, b.least(b.plus(first, groupChannels), z), b.index(1), nil, func(z value, _ []value) []value {
			p.channel(z, z)
			return nil
		})
	})
}

// maximum is the greater of two vectors' elements, or NaN if one of them is.
func (b *builder) maximum(x, y value) value {
	return b.def(x.typ, "arith.maximumf %s, %s : %s", x.name, y.name, x.typ)
}
