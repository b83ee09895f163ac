// MASK fills a register with a 32-bit constant.
#define MASK(value, x, y) \
	MOVL $value, AX; \
	VMOVD AX, x; \
	VPBROADCASTD x, y

// SCALE fills a register with an f16 from memory, widened.
#define SCALE(from, x, y) \
	VPBROADCASTW from, x; \
	VCVTPH2PS x, y
