// Macros of rows_amd64.s and rows_k_amd64.s.

// WIDE adds the sixteen parts of a sum in z, whose lower half is y and whose first
// quarter is x, in the order of package gemm.
#define WIDE(z, y, x)             \
	VEXTRACTF64X4 $1, z, Y31;     \
	VADDPS        Y31, y, y;      \
	VEXTRACTF32X4 $1, y, X31;     \
	VADDPS        X31, x, x;      \
	VPERMILPS     $0x4e, x, X31;  \
	VADDPS        X31, x, x;      \
	VPERMILPS     $0xb1, x, X31;  \
	VADDPS        X31, x, x

// ROWS multiplies rows, two at a time, of blocks of size bytes and so many bytes of
// x. block(src, sum, at) adds a block at src times elements at DX to sum; at is where
// in the frame it may keep something. Sums of one row are one after the other, so
// that two keep the processor busy.
#define ROWS(size, elements, block, atB, pair, pairs, one, ones, done) \
	MOVQ   rows+0(FP), AX;   \
	MOVQ   blocks+8(FP), BX; \
	MOVQ   w+16(FP), SI;     \
	MOVQ   x+24(FP), R8;     \
	MOVQ   y+32(FP), DI;     \
	IMUL3Q $size, BX, R10;   \
pair:                        \
	CMPQ   AX, $2;           \
	JLT    one;              \
	LEAQ   (SI)(R10*1), R9;  \
	MOVQ   R8, DX;           \
	MOVQ   BX, CX;           \
	VPXORD Z0, Z0, Z0;       \
	VPXORD Z1, Z1, Z1;       \
pairs:                       \
	block(SI, Z0, 0);        \
	block(R9, Z1, atB);      \
	ADDQ   $size, SI;        \
	ADDQ   $size, R9;        \
	ADDQ   $(4*elements), DX; \
	DECQ   CX;               \
	JNZ    pairs;            \
	WIDE(Z0, Y0, X0);        \
	WIDE(Z1, Y1, X1);        \
	VMOVSS X0, (DI);         \
	VMOVSS X1, 4(DI);        \
	ADDQ   $8, DI;           \
	MOVQ   R9, SI;           \
	SUBQ   $2, AX;           \
	JMP    pair;             \
one:                         \
	TESTQ  AX, AX;           \
	JEQ    done;             \
	MOVQ   R8, DX;           \
	MOVQ   BX, CX;           \
	VPXORD Z0, Z0, Z0;       \
ones:                        \
	block(SI, Z0, 0);        \
	ADDQ   $size, SI;        \
	ADDQ   $(4*elements), DX; \
	DECQ   CX;               \
	JNZ    ones;             \
	WIDE(Z0, Y0, X0);        \
	VMOVSS X0, (DI);         \
done:                        \
	VZEROUPPER;              \
	RET

// AHEAD asks for what is read some blocks later: the processor stops foreseeing at
// each page.
#define AHEAD(src) PREFETCHT0 1024(src)

// SCALE fills a register with an f16 from memory, widened.
#define SCALE(from, y, z)  \
	VPBROADCASTW from, y;  \
	VCVTPH2PS    y, z
