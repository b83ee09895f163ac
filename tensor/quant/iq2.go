package quant

func unpackIQ2XXS(dst []float32, src []byte) error {
	grid := iq2xxsGrid()
	for ; len(dst) >= 256; dst, src = dst[256:], src[66:] {
		b, y := (*[66]byte)(src), (*[256]float32)(dst)
		d := half(b[0], b[1])
		for i := range 8 {
			signs := u32(b[6+8*i : 10+8*i])
			scale := d * (0.5 + float32(signs>>28)) * 0.25
			for k := range 4 {
				signed8((*[8]float32)(y[32*i+8*k:]), scale, &grid[b[2+8*i+k]], evenSigns(signs>>(7*k)))
			}
		}
	}
	return nil
}

func unpackIQ2XS(dst []float32, src []byte) error {
	grid := iq2xsGrid()
	for ; len(dst) >= 256; dst, src = dst[256:], src[74:] {
		b, y := (*[74]byte)(src), (*[256]float32)(dst)
		d := half(b[0], b[1])
		for i := range 32 {
			q := uint32(b[2+2*i]) | uint32(b[3+2*i])<<8
			scale := d * (0.5 + float32(b[66+i/4]>>(i/2%2*4)&15)) * 0.25
			signed8((*[8]float32)(y[8*i:]), scale, &grid[q&511], evenSigns(q>>9))
		}
	}
	return nil
}

func unpackIQ2S(dst []float32, src []byte) error {
	grid := iq2sGrid()
	for ; len(dst) >= 256; dst, src = dst[256:], src[82:] {
		b, y := (*[82]byte)(src), (*[256]float32)(dst)
		d := half(b[0], b[1])
		for i := range 32 {
			index := int(b[2+i]) | int(b[66+i/4])>>(i%4*2)&3<<8
			scale := d * (0.5 + float32(b[74+i/4]>>(i/2%2*4)&15)) * 0.25
			signed8((*[8]float32)(y[8*i:]), scale, &grid[index], uint32(b[34+i]))
		}
	}
	return nil
}
