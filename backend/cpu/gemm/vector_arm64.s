#include "textflag.h"
#include "neon_arm64.h"

// Products with a vector: sums are those of vector_amd64.s, in the same order.

// SUM adds the sixteen parts of a sum, in registers a to d, into the first
// element of a, which is also named v.
#define SUM(a, b, c, d, v)            \
	FADD(c, a, a);                    \
	FADD(d, b, b);                    \
	FADD(b, a, a);                    \
	VEXT   $8, v.B16, v.B16, V24.B16; \
	FADD(24, a, a);                   \
	VREV64 v.S4, V24.S4;              \
	FADD(24, a, a)

#define ZERO(v) VEOR v.B16, v.B16, v.B16

// PART adds sixteen elements of a row times those of x, in V16 to V19.
#define PART(row, a, b, c, d)                             \
	VLD1.P 64(row), [V20.S4, V21.S4, V22.S4, V23.S4];     \
	VFMLA  V20.S4, V16.S4, a.S4;                          \
	VFMLA  V21.S4, V17.S4, b.S4;                          \
	VFMLA  V22.S4, V18.S4, c.S4;                          \
	VFMLA  V23.S4, V19.S4, d.S4

// ONE adds an element of a row times that of x, in V16, to the first of a.
#define ONE(row, a)         \
	FMOVS.P 4(row), F20;    \
	VFMLA   V20.S4, V16.S4, a.S4

// func dot4(k int, a *float32, lda int, x, y *float32)
TEXT ·dot4(SB), NOSPLIT, $0-40
	MOVD k+0(FP), R5
	MOVD a+8(FP), R0
	MOVD lda+16(FP), R4
	MOVD x+24(FP), R6
	MOVD y+32(FP), R7
	ADD  R4<<2, R0, R1
	ADD  R4<<2, R1, R2
	ADD  R4<<2, R2, R3
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)
	ZERO(V4)
	ZERO(V5)
	ZERO(V6)
	ZERO(V7)
	ZERO(V8)
	ZERO(V9)
	ZERO(V10)
	ZERO(V11)
	ZERO(V12)
	ZERO(V13)
	ZERO(V14)
	ZERO(V15)
	SUBS $16, R5
	BLT  sums4

loop4:
	VLD1.P 64(R6), [V16.S4, V17.S4, V18.S4, V19.S4]
	PART(R0, V0, V1, V2, V3)
	PART(R1, V4, V5, V6, V7)
	PART(R2, V8, V9, V10, V11)
	PART(R3, V12, V13, V14, V15)
	SUBS   $16, R5
	BGE    loop4

sums4:
	SUM(0, 1, 2, 3, V0)
	SUM(4, 5, 6, 7, V4)
	SUM(8, 9, 10, 11, V8)
	SUM(12, 13, 14, 15, V12)
	ADDS $16, R5
	BEQ  done4

tail4:
	FMOVS.P 4(R6), F16
	ONE(R0, V0)
	ONE(R1, V4)
	ONE(R2, V8)
	ONE(R3, V12)
	SUBS    $1, R5
	BNE     tail4

done4:
	FMOVS F0, (R7)
	FMOVS F4, 4(R7)
	FMOVS F8, 8(R7)
	FMOVS F12, 12(R7)
	RET

// func dot1(k int, a, x, y *float32)
TEXT ·dot1(SB), NOSPLIT, $0-32
	MOVD k+0(FP), R5
	MOVD a+8(FP), R0
	MOVD x+16(FP), R6
	MOVD y+24(FP), R7
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)
	SUBS $16, R5
	BLT  sums1

loop1:
	VLD1.P 64(R6), [V16.S4, V17.S4, V18.S4, V19.S4]
	PART(R0, V0, V1, V2, V3)
	SUBS   $16, R5
	BGE    loop1

sums1:
	SUM(0, 1, 2, 3, V0)
	ADDS $16, R5
	BEQ  done1

tail1:
	FMOVS.P 4(R6), F16
	ONE(R0, V0)
	SUBS    $1, R5
	BNE     tail1

done1:
	FMOVS F0, (R7)
	RET

// TIMES adds sixteen elements of a row times element i of V16 to V0 to V3.
#define TIMES(row, i)                                     \
	VLD1.P 64(row), [V20.S4, V21.S4, V22.S4, V23.S4];     \
	FMLA(16, i, 20, 0);                                   \
	FMLA(16, i, 21, 1);                                   \
	FMLA(16, i, 22, 2);                                   \
	FMLA(16, i, 23, 3)

#define TIMESONE(row, i)    \
	FMOVS.P 4(row), F20;    \
	FMLA(16, i, 20, 0)

// func axpy4(n int, a, b *float32, ldb int, y *float32)
TEXT ·axpy4(SB), NOSPLIT, $0-40
	MOVD n+0(FP), R5
	MOVD a+8(FP), R6
	MOVD b+16(FP), R0
	MOVD ldb+24(FP), R4
	MOVD y+32(FP), R7
	ADD  R4<<2, R0, R1
	ADD  R4<<2, R1, R2
	ADD  R4<<2, R2, R3
	VLD1 (R6), [V16.S4]
	SUBS $16, R5
	BLT  rest

loop:
	VLD1   (R7), [V0.S4, V1.S4, V2.S4, V3.S4]
	TIMES(R0, 0)
	TIMES(R1, 1)
	TIMES(R2, 2)
	TIMES(R3, 3)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R7)
	SUBS   $16, R5
	BGE    loop

rest:
	ADDS $16, R5
	BEQ  done

tail:
	FMOVS   (R7), F0
	TIMESONE(R0, 0)
	TIMESONE(R1, 1)
	TIMESONE(R2, 2)
	TIMESONE(R3, 3)
	FMOVS.P F0, 4(R7)
	SUBS    $1, R5
	BNE     tail

done:
	RET

// func axpy1(n int, a, b, y *float32)
TEXT ·axpy1(SB), NOSPLIT, $0-32
	MOVD  n+0(FP), R5
	MOVD  a+8(FP), R6
	MOVD  b+16(FP), R0
	MOVD  y+24(FP), R7
	FMOVS (R6), F16
	SUBS  $16, R5
	BLT   restOne

loopOne:
	VLD1   (R7), [V0.S4, V1.S4, V2.S4, V3.S4]
	TIMES(R0, 0)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R7)
	SUBS   $16, R5
	BGE    loopOne

restOne:
	ADDS $16, R5
	BEQ  doneOne

tailOne:
	FMOVS   (R7), F0
	TIMESONE(R0, 0)
	FMOVS.P F0, 4(R7)
	SUBS    $1, R5
	BNE     tailOne

doneOne:
	RET
