#include "textflag.h"

// Rows of float32 with Advanced SIMD: the operations of rows_amd64.s on elements
// in the same order, so the bits are the same. n is a multiple of 8 and at least 8.

// Instructions on pairs of doubles that Go's assembler lacks, with the numbers of
// registers (Arm Architecture Reference Manual, DDI 0487, C7.2).
#define FADD(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB(m, n, d) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d)) // n - m
#define FMUL(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))
#define FDIV(m, n, d) WORD $(0x6E60FC00 | (m)<<16 | (n)<<5 | (d)) // n/m
#define FMAX(m, n, d) WORD $(0x4E60F400 | (m)<<16 | (n)<<5 | (d)) // NaN stays
#define FMIN(m, n, d) WORD $(0x4EE0F400 | (m)<<16 | (n)<<5 | (d))
#define FMLA(m, n, d) WORD $(0x4E60CC00 | (m)<<16 | (n)<<5 | (d)) // d + n*m
#define FMLS(m, n, d) WORD $(0x4EE0CC00 | (m)<<16 | (n)<<5 | (d)) // d - n*m
#define SHL52(n, d) WORD $(0x4F745400 | (n)<<5 | (d))
#define ADD64(m, n, d) WORD $(0x4EE08400 | (m)<<16 | (n)<<5 | (d))
#define FMAX32(m, n, d) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))

// WIDEN makes doubles of the four floats in n, NARROW floats of doubles.
#define WIDEN(n, low, high)                     \
	WORD $(0x0E617800 | (n)<<5 | (low));        \
	WORD $(0x4E617800 | (n)<<5 | (high))

#define NARROW(low, high, d)                    \
	WORD $(0x0E616800 | (low)<<5 | (d));        \
	WORD $(0x4E616800 | (high)<<5 | (d))

#define COPY(n, d) WORD $(0x4EA01C00 | (n)<<16 | (n)<<5 | (d))

// Eight floats from a row as doubles in V0 to V3, and back.
#define LOAD8(row)                          \
	VLD1.P 32(row), [V4.S4, V5.S4];         \
	WIDEN(4, 0, 1);                         \
	WIDEN(5, 2, 3)

#define STORE8(row)                         \
	NARROW(0, 1, 4);                        \
	NARROW(2, 3, 5);                        \
	VST1.P [V4.S4, V5.S4], 32(row)

// BOTH loads a float64 argument into both elements of v.
#define BOTH(from, v)                       \
	MOVD from, R9;                          \
	VDUP R9, v.D2

#define ZERO(v) VEOR v.B16, v.B16, v.B16

// SUM adds the parts in V6 to V9 into the first element of V6.
#define SUM                                 \
	FADD(8, 6, 6);                          \
	FADD(9, 7, 7);                          \
	FADD(7, 6, 6);                          \
	VEXT $8, V6.B16, V6.B16, V7.B16;        \
	FADD(7, 6, 6)

DATA ·constants+0(SB)/8, $0xc05b800000000000 // low
DATA ·constants+8(SB)/8, $0x405b800000000000 // high
DATA ·constants+16(SB)/8, $0x3ff71547652b82fe // log2e
DATA ·constants+24(SB)/8, $0x4338000000000000 // magic
DATA ·constants+32(SB)/8, $0x3fe62e42fefa39ef // ln2
DATA ·constants+40(SB)/8, $0x3f2a151b9b9f9468 // c7
DATA ·constants+48(SB)/8, $0x3f56d758bcd6903a // c6
DATA ·constants+56(SB)/8, $0x3f81110c613ed8f1 // c5
DATA ·constants+64(SB)/8, $0x3fa5554ac8ab8909 // c4
DATA ·constants+72(SB)/8, $0x3fc555555675e3d0 // c3
DATA ·constants+80(SB)/8, $0x3fe000000289873a // c2
DATA ·constants+88(SB)/8, $0x3ff0000000000000 // c1
DATA ·constants+96(SB)/8, $0x3ff0000000000000 // one
GLOBL ·constants(SB), RODATA|NOPTR, $104

// CONSTANTS broadcasts them: low V16, high V17, log2e V18, magic V19, ln2 V20, c7 V21, c6 V22,
// c5 V23, c4 V24, c3 V25, c2 V26, c1 V27, one V28.
#define CONSTANTS                           \
	MOVD $·constants(SB), R10;              \
	VLD1R.P 8(R10), [V16.D2];              \
	VLD1R.P 8(R10), [V17.D2];              \
	VLD1R.P 8(R10), [V18.D2];              \
	VLD1R.P 8(R10), [V19.D2];              \
	VLD1R.P 8(R10), [V20.D2];              \
	VLD1R.P 8(R10), [V21.D2];              \
	VLD1R.P 8(R10), [V22.D2];              \
	VLD1R.P 8(R10), [V23.D2];              \
	VLD1R.P 8(R10), [V24.D2];              \
	VLD1R.P 8(R10), [V25.D2];              \
	VLD1R.P 8(R10), [V26.D2];              \
	VLD1R.P 8(R10), [V27.D2];              \
	VLD1R (R10), [V28.D2]

// EXP replaces x by its exponential: see rows_amd64.s. p, q and t are free.
#define EXP(x, p, q, t)                     \
	FMAX(16, x, x);                         \
	FMIN(17, x, x);                         \
	COPY(19, t);                            \
	FMLA(18, x, t);                         \
	FSUB(19, t, p);                         \
	FMLS(20, p, x);                         \
	COPY(22, p);                            \
	FMLA(21, x, p);                         \
	COPY(23, q);                            \
	FMLA(p, x, q);                          \
	COPY(24, p);                            \
	FMLA(q, x, p);                          \
	COPY(25, q);                            \
	FMLA(p, x, q);                          \
	COPY(26, p);                            \
	FMLA(q, x, p);                          \
	COPY(27, q);                            \
	FMLA(p, x, q);                          \
	COPY(28, p);                            \
	FMLA(q, x, p);                          \
	SHL52(t, t);                            \
	ADD64(t, p, x)

#define EXP8                                \
	EXP(0, 10, 11, 12);                     \
	EXP(1, 13, 14, 15);                     \
	EXP(2, 10, 11, 12);                     \
	EXP(3, 13, 14, 15)

// func expRow(n int, x, y *float32, c float64) float64
TEXT ·expRow(SB), NOSPLIT, $0-40
	MOVD n+0(FP), R5
	MOVD x+8(FP), R0
	MOVD y+16(FP), R1
	BOTH(c+24(FP), V29)
	ZERO(V6)
	ZERO(V7)
	ZERO(V8)
	ZERO(V9)
	CONSTANTS

exp:
	LOAD8(R0)
	FSUB(29, 0, 0)
	FSUB(29, 1, 1)
	FSUB(29, 2, 2)
	FSUB(29, 3, 3)
	EXP8
	FADD(0, 6, 6)
	FADD(1, 7, 7)
	FADD(2, 8, 8)
	FADD(3, 9, 9)
	STORE8(R1)
	SUBS  $8, R5
	BNE   exp
	SUM
	FMOVD F6, ret+32(FP)
	RET

// func logisticRow(n int, x, y *float32)
TEXT ·logisticRow(SB), NOSPLIT, $0-24
	MOVD n+0(FP), R5
	MOVD x+8(FP), R0
	MOVD y+16(FP), R1
	ZERO(V29)
	CONSTANTS

logistic:
	LOAD8(R0)
	FSUB(0, 29, 0)
	FSUB(1, 29, 1)
	FSUB(2, 29, 2)
	FSUB(3, 29, 3)
	EXP8
	FADD(28, 0, 0)
	FADD(28, 1, 1)
	FADD(28, 2, 2)
	FADD(28, 3, 3)
	FDIV(0, 28, 0)
	FDIV(1, 28, 1)
	FDIV(2, 28, 2)
	FDIV(3, 28, 3)
	STORE8(R1)
	SUBS $8, R5
	BNE  logistic
	RET

// func maxRow(n int, x *float32) float32
TEXT ·maxRow(SB), NOSPLIT, $0-20
	MOVD   n+0(FP), R5
	MOVD   x+8(FP), R0
	VLD1.P 32(R0), [V0.S4, V1.S4]
	B      rest

top:
	VLD1.P 32(R0), [V2.S4, V3.S4]
	FMAX32(2, 0, 0)
	FMAX32(3, 1, 1)

rest:
	SUBS   $8, R5
	BNE    top
	FMAX32(1, 0, 0)
	VEXT   $8, V0.B16, V0.B16, V1.B16
	FMAX32(1, 0, 0)
	VREV64 V0.S4, V1.S4
	FMAX32(1, 0, 0)
	FMOVS  F0, ret+16(FP)
	RET

// func scaleRow(n int, y *float32, f float64)
TEXT ·scaleRow(SB), NOSPLIT, $0-24
	MOVD n+0(FP), R5
	MOVD y+8(FP), R0
	MOVD R0, R1
	BOTH(f+16(FP), V29)

scale:
	LOAD8(R0)
	FMUL(29, 0, 0)
	FMUL(29, 1, 1)
	FMUL(29, 2, 2)
	FMUL(29, 3, 3)
	STORE8(R1)
	SUBS $8, R5
	BNE  scale
	RET

// func sumRow(n int, x *float32) float64
TEXT ·sumRow(SB), NOSPLIT, $0-24
	MOVD n+0(FP), R5
	MOVD x+8(FP), R0
	ZERO(V6)
	ZERO(V7)
	ZERO(V8)
	ZERO(V9)

add:
	LOAD8(R0)
	FADD(0, 6, 6)
	FADD(1, 7, 7)
	FADD(2, 8, 8)
	FADD(3, 9, 9)
	SUBS  $8, R5
	BNE   add
	SUM
	FMOVD F6, ret+16(FP)
	RET

// func squaresRow(n int, x *float32, mean float64) float64
TEXT ·squaresRow(SB), NOSPLIT, $0-32
	MOVD n+0(FP), R5
	MOVD x+8(FP), R0
	BOTH(mean+16(FP), V29)
	ZERO(V6)
	ZERO(V7)
	ZERO(V8)
	ZERO(V9)

squares:
	LOAD8(R0)
	FSUB(29, 0, 0)
	FSUB(29, 1, 1)
	FSUB(29, 2, 2)
	FSUB(29, 3, 3)
	FMLA(0, 0, 6)
	FMLA(1, 1, 7)
	FMLA(2, 2, 8)
	FMLA(3, 3, 9)
	SUBS  $8, R5
	BNE   squares
	SUM
	FMOVD F6, ret+24(FP)
	RET

// func normRow(n int, x, gamma, beta, y *float32, mean, scale float64)
TEXT ·normRow(SB), NOSPLIT, $0-56
	MOVD n+0(FP), R5
	MOVD x+8(FP), R0
	MOVD gamma+16(FP), R2
	MOVD beta+24(FP), R3
	MOVD y+32(FP), R1
	BOTH(mean+40(FP), V29)
	BOTH(scale+48(FP), V30)

norm:
	LOAD8(R0)
	FSUB(29, 0, 0)
	FSUB(29, 1, 1)
	FSUB(29, 2, 2)
	FSUB(29, 3, 3)
	FMUL(30, 0, 0)
	FMUL(30, 1, 1)
	FMUL(30, 2, 2)
	FMUL(30, 3, 3)
	VLD1.P 32(R2), [V6.S4, V7.S4]
	WIDEN(6, 8, 9)
	WIDEN(7, 10, 11)
	VLD1.P 32(R3), [V6.S4, V7.S4]
	WIDEN(6, 12, 13)
	WIDEN(7, 14, 15)
	FMLA(8, 0, 12)
	FMLA(9, 1, 13)
	FMLA(10, 2, 14)
	FMLA(11, 3, 15)
	NARROW(12, 13, 4)
	NARROW(14, 15, 5)
	VST1.P [V4.S4, V5.S4], 32(R1)
	SUBS   $8, R5
	BNE    norm
	RET
