package dtype

// Codes returns the type of the codes of elements that no program computes in, one to a
// byte: i8 for i4, which has a sign, and u8 for u4 and for floats of 4 and 8 bits. ok is
// false for other types.
func (d DType) Codes() (codes DType, ok bool) {
	switch d {
	case I4:
		return I8, true
	case U4, F4E2M1FN, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU:
		return U8, true
	}
	return d, false
}
