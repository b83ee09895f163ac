#include "textflag.h"

// Instructions that Go's assembler lacks, with the numbers of registers (Arm
// Architecture Reference Manual, DDI 0487, C7.2).
#define SDOT(m, n, d) WORD $(0x4E809400 | (m)<<16 | (n)<<5 | (d)) // adds products of four bytes each
#define SCVTF(n, d) WORD $(0x4E21D800 | (n)<<5 | (d))
#define FMUL(m, n, d) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FADD(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))

// GROUP adds the products of a group to the numbers of low and high.
#define GROUP(low, high)                  \
	VLD1.P  32(R1), [V2.B16, V3.B16];     \
	VLD1.P  32(R3), [V4.B16, V5.B16];     \
	VEOR    V6.B16, V6.B16, V6.B16;       \
	VEOR    V7.B16, V7.B16, V7.B16;       \
	SDOT(4, 2, 6);                        \
	SDOT(5, 3, 7);                        \
	SCVTF(6, 6);                          \
	SCVTF(7, 7);                          \
	VLD1R.P 4(R2), [V8.S4];               \
	VLD1R.P 4(R2), [V9.S4];               \
	VLD1R.P 4(R4), [V10.S4];              \
	FMUL(10, 8, 8);                       \
	FMUL(10, 9, 9);                       \
	FMUL(8, 6, 6);                        \
	FMUL(9, 7, 7);                        \
	FADD(6, low, low);                    \
	FADD(7, high, high)

// func dotSDOT(groups int, codes *int8, scales *float32, x *int8, xScales, y *float32)
TEXT ·dotSDOT(SB), NOSPLIT, $0-48
	MOVD groups+0(FP), R0
	MOVD codes+8(FP), R1
	MOVD scales+16(FP), R2
	MOVD x+24(FP), R3
	MOVD xScales+32(FP), R4
	MOVD y+40(FP), R5
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	SUBS $2, R0
	BLT  last

loop:
	GROUP(16, 17)
	GROUP(18, 19)
	SUBS $2, R0
	BGE  loop

last:
	ADDS $2, R0
	BEQ  sum
	GROUP(16, 17)

sum:
	FADD(18, 16, 16)
	FADD(19, 17, 17)
	FADD(17, 16, 16)
	VEXT   $8, V16.B16, V16.B16, V0.B16
	FADD(0, 16, 16)
	VREV64 V16.S4, V0.S4
	FADD(0, 16, 16)
	FMOVS  F16, (R5)
	RET
