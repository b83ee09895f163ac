// Macros of the kernels.

// AHEAD skips to the label next where the output is small. What follows it asks
// for the lines of the output two kilobytes on, to be written: a store that
// misses the caches otherwise waits at every page, where the processor's own
// prefetching stops.
#define AHEAD(next) \
	CMPQ ahead+24(FP), $0; \
	JEQ next

// PREFETCHW is the instruction of this name for 64 bytes at n(DI), which the
// assembler lacks. Processors that lack it do nothing there.
#define PREFETCHW(n) BYTE $0x0F; BYTE $0x0D; BYTE $0x8F; LONG $n

#define PREFETCHW4(n) PREFETCHW(n); PREFETCHW(n+64); PREFETCHW(n+128); PREFETCHW(n+192)

// MASK fills a register with a 32-bit constant.
#define MASK(value, x, y) \
	MOVL $value, AX; \
	VMOVD AX, x; \
	VPBROADCASTD x, y

// SCALE fills a register with an f16 from memory, widened.
#define SCALE(from, x, y) \
	VPBROADCASTW from, x; \
	VCVTPH2PS x, y
