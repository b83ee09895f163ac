#include "textflag.h"

// The functions of functions.go with Advanced SIMD, four elements at a time, with
// the operations of the code in Go in its order. n is a multiple of 8 and at
// least 8; the places in the tables are in functions.go.

// Instructions on pairs of doubles that Go's assembler lacks, with the numbers of
// registers, as in rows_arm64.s.
#define FADD(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB(m, n, d) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d)) // n - m
#define FMUL(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))
#define FDIV(m, n, d) WORD $(0x6E60FC00 | (m)<<16 | (n)<<5 | (d)) // n/m
#define FMIN(m, n, d) WORD $(0x4EE0F400 | (m)<<16 | (n)<<5 | (d)) // NaN stays
#define FMLA(m, n, d) WORD $(0x4E60CC00 | (m)<<16 | (n)<<5 | (d)) // d + n*m
#define FMLS(m, n, d) WORD $(0x4EE0CC00 | (m)<<16 | (n)<<5 | (d)) // d - n*m
#define FABS(n, d) WORD $(0x4EE0F800 | (n)<<5 | (d))
#define FNEG(n, d) WORD $(0x6EE0F800 | (n)<<5 | (d))
#define AND(m, n, d) WORD $(0x4E201C00 | (m)<<16 | (n)<<5 | (d))
#define ORR(m, n, d) WORD $(0x4EA01C00 | (m)<<16 | (n)<<5 | (d))
#define COPY(n, d) ORR(n, n, d)
#define SHL52(n, d) WORD $(0x4F745400 | (n)<<5 | (d))
#define ADD64(m, n, d) WORD $(0x4EE08400 | (m)<<16 | (n)<<5 | (d))
#define WIDEN(n, low, high)                 \
	WORD $(0x0E617800 | (n)<<5 | (low));    \
	WORD $(0x4E617800 | (n)<<5 | (high))

#define NARROW(low, high, d)                \
	WORD $(0x0E616800 | (low)<<5 | (d));    \
	WORD $(0x4E616800 | (high)<<5 | (d))

// TAKE broadcasts the next double at R11.
#define TAKE(d) WORD $(0x4DDFCD60 | (d))

// BEGIN takes the arguments and broadcasts what all the functions need: of e^a
// log2e V16, magic V17, ln2 V18, c7 to c2 V19 to V24 and one V25; then the sign
// V26, the limit V27 and the factor V28. R10 is at what the function has of its own.
#define BEGIN                               \
	MOVD n+0(FP), R5;                       \
	MOVD x+8(FP), R0;                       \
	MOVD y+16(FP), R1;                      \
	MOVD table+24(FP), R11;                 \
	TAKE(16);                               \
	TAKE(17);                               \
	TAKE(18);                               \
	TAKE(19);                               \
	TAKE(20);                               \
	TAKE(21);                               \
	TAKE(22);                               \
	TAKE(23);                               \
	TAKE(24);                               \
	TAKE(25);                               \
	TAKE(26);                               \
	TAKE(27);                               \
	TAKE(28);                               \
	MOVD R11, R10

// LOAD4 and STORE4 are of V0 and V1, by way of V2.
#define LOAD4                               \
	VLD1.P 16(R0), [V2.S4];                 \
	WIDEN(2, 0, 1)

#define STORE4                              \
	NARROW(0, 1, 2);                        \
	VST1.P [V2.S4], 16(R1);                 \
	SUBS   $4, R5

// NEXT2 has two more coefficients of a polynomial p in u, by way of q.
#define NEXT2(u, p, q)                      \
	TAKE(q);                                \
	FMLA(p, u, q);                          \
	TAKE(p);                                \
	FMLA(q, u, p)

// PARTS replaces x by m and t by s with e^x = s m + s. p and q are free.
#define PARTS(x, p, q, t)                   \
	COPY(17, t);                            \
	FMLA(16, x, t);                         \
	FSUB(17, t, p);                         \
	FMLS(18, p, x);                         \
	COPY(20, p);                            \
	FMLA(19, x, p);                         \
	COPY(21, q);                            \
	FMLA(p, x, q);                          \
	COPY(22, p);                            \
	FMLA(q, x, p);                          \
	COPY(23, q);                            \
	FMLA(p, x, q);                          \
	COPY(24, p);                            \
	FMLA(q, x, p);                          \
	COPY(25, q);                            \
	FMLA(p, x, q);                          \
	FMUL(q, x, x);                          \
	SHL52(t, t);                            \
	ADD64(25, t, t)

// All from here on use V3 to V8.
#define TANH(x)                             \
	AND(26, x, 3);                          \
	FABS(x, x);                             \
	FMIN(27, x, x);                         \
	FADD(x, x, x);                          \
	PARTS(x, 4, 5, 6);                      \
	FSUB(25, 6, 4);                         \
	FMLA(x, 6, 4);                          \
	FADD(28, 4, 5);                         \
	FDIV(5, 4, 4);                          \
	ORR(3, 4, x)

// func tanhRow(n int, x, y *float32, table *float64)
TEXT ·tanhRow(SB), NOSPLIT, $0-32
	BEGIN

tanh:
	LOAD4
	TANH(0)
	TANH(1)
	STORE4
	BNE tanh
	RET

#define ERF(x)                              \
	AND(26, x, 3);                          \
	FABS(x, x);                             \
	FMIN(27, x, x);                         \
	FMUL(x, x, 4);                          \
	FNEG(25, 5);                            \
	FMLA(28, 4, 5);                         \
	MOVD R10, R11;                          \
	TAKE(6);                                \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	TAKE(7);                                \
	FMLA(6, 5, 7);                          \
	FMUL(7, x, x);                          \
	ORR(3, x, x)

// func erfRow(n int, x, y *float32, table *float64)
TEXT ·erfRow(SB), NOSPLIT, $0-32
	BEGIN

erf:
	LOAD4
	ERF(0)
	ERF(1)
	STORE4
	BNE erf
	RET

// BOTH puts max(x, 0) into V4 and the smaller of |x| and the limit into V5.
#define BOTH(x)                             \
	AND(26, x, 3);                          \
	FABS(x, 5);                             \
	FADD(5, x, 4);                          \
	FMUL(28, 4, 4);                         \
	FMIN(27, 5, 5)

// V29 is minus the factor.
#define GELU(x)                             \
	BOTH(x);                                \
	FMUL(5, 5, x);                          \
	FMUL(29, x, x);                         \
	PARTS(x, 6, 7, 8);                      \
	FMLA(x, 8, 8);                          \
	MOVD R10, R11;                          \
	TAKE(6);                                \
	FADD(5, 6, 6);                          \
	FDIV(6, 25, 6);                         \
	FMUL(6, 8, 8);                          \
	FMUL(5, 8, 8);                          \
	TAKE(5);                                \
	TAKE(7);                                \
	FMLA(7, 6, 5);                          \
	TAKE(6);                                \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	NEXT2(5, 6, 7);                         \
	TAKE(7);                                \
	FMLA(6, 5, 7);                          \
	FMLS(7, 8, 4);                          \
	ORR(3, 4, x)

// func geluRow(n int, x, y *float32, table *float64)
TEXT ·geluRow(SB), NOSPLIT, $0-32
	BEGIN
	FNEG(28, 29)

gelu:
	LOAD4
	GELU(0)
	GELU(1)
	STORE4
	BNE gelu
	RET

#define SILU(x)                             \
	BOTH(x);                                \
	FMUL(5, 5, 6);                          \
	COPY(30, x);                            \
	FMLA(29, 6, x);                         \
	FMUL(5, x, x);                          \
	PARTS(x, 6, 7, 8);                      \
	FMLA(x, 8, 8);                          \
	FADD(25, 8, 6);                         \
	FDIV(6, 8, 8);                          \
	FMLS(8, 5, 4);                          \
	ORR(3, 4, x)

// func siluRow(n int, x, y *float32, table *float64)
TEXT ·siluRow(SB), NOSPLIT, $0-32
	BEGIN
	TAKE(29)
	TAKE(30)

silu:
	LOAD4
	SILU(0)
	SILU(1)
	STORE4
	BNE silu
	RET
