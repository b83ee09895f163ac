#include "textflag.h"

// The functions of functions.go with AVX2 and FMA, four elements at a time, with
// the operations of the code in Go in its order. n is a multiple of 8 and at
// least 8; the places in the tables are in functions.go.

// Takes the arguments and broadcasts what all the functions need.
#define BEGIN                       \
	MOVQ         n+0(FP), CX;       \
	MOVQ         x+8(FP), SI;       \
	MOVQ         y+16(FP), DI;      \
	MOVQ         table+24(FP), R8;  \
	VBROADCASTSD (R8), Y11;         \
	VBROADCASTSD 8(R8), Y12;        \
	VBROADCASTSD 16(R8), Y10;       \
	VBROADCASTSD 72(R8), Y13;       \
	VBROADCASTSD 80(R8), Y15;       \
	VBROADCASTSD 88(R8), Y14;       \
	VBROADCASTSD 96(R8), Y9

// Y0 is x, with its sign in Y1 and its absolute value in Y2.
#define LOAD                        \
	VCVTPS2PD    (SI), Y0;          \
	VANDPD       Y15, Y0, Y1;       \
	VANDNPD      Y0, Y15, Y2

// Writes Y0 with the sign in Y1 and sets the flags for the next four.
#define STORE                       \
	VORPD        Y1, Y0, Y0;        \
	VCVTPD2PSY   Y0, X0;            \
	VMOVUPS      X0, (DI);          \
	ADDQ         $16, SI;           \
	ADDQ         $16, DI;           \
	SUBQ         $4, CX

// One more coefficient of a polynomial p in u.
#define NEXT(at, u, p)              \
	VBROADCASTSD at(R8), Y7;        \
	VFMADD213PD  Y7, u, p

// Replaces x by m and t by s with e^x = s m + s. p and Y7 are free.
#define PARTS(x, p, t)              \
	VMOVAPD      Y12, t;            \
	VFMADD231PD  Y11, x, t;         \
	VSUBPD       Y12, t, p;         \
	VFNMADD231PD Y10, p, x;         \
	VBROADCASTSD 24(R8), p;         \
	NEXT(32, x, p);                 \
	NEXT(40, x, p);                 \
	NEXT(48, x, p);                 \
	NEXT(56, x, p);                 \
	NEXT(64, x, p);                 \
	VFMADD213PD  Y13, x, p;         \
	VMULPD       p, x, x;           \
	VPSLLQ       $52, t, t;         \
	VPADDQ       Y13, t, t

// func tanhRow(n int, x, y *float32, table *float64)
TEXT ·tanhRow(SB), NOSPLIT, $0-32
	BEGIN

tanh:
	LOAD
	VMINPD      Y2, Y14, Y2 // NaN, as second source, stays
	VADDPD      Y2, Y2, Y0
	PARTS(Y0, Y3, Y4)
	VSUBPD      Y13, Y4, Y3
	VFMADD213PD Y3, Y4, Y0
	VADDPD      Y9, Y0, Y3
	VDIVPD      Y3, Y0, Y0
	STORE
	JNZ         tanh
	VZEROUPPER
	RET

// func erfRow(n int, x, y *float32, table *float64)
TEXT ·erfRow(SB), NOSPLIT, $0-32
	BEGIN

erf:
	LOAD
	VMINPD       Y2, Y14, Y2
	VMULPD       Y2, Y2, Y3
	VFMSUB213PD  Y13, Y9, Y3
	VBROADCASTSD 104(R8), Y0
	NEXT(112, Y3, Y0)
	NEXT(120, Y3, Y0)
	NEXT(128, Y3, Y0)
	NEXT(136, Y3, Y0)
	NEXT(144, Y3, Y0)
	NEXT(152, Y3, Y0)
	NEXT(160, Y3, Y0)
	NEXT(168, Y3, Y0)
	NEXT(176, Y3, Y0)
	NEXT(184, Y3, Y0)
	NEXT(192, Y3, Y0)
	NEXT(200, Y3, Y0)
	NEXT(208, Y3, Y0)
	NEXT(216, Y3, Y0)
	NEXT(224, Y3, Y0)
	NEXT(232, Y3, Y0)
	NEXT(240, Y3, Y0)
	NEXT(248, Y3, Y0)
	NEXT(256, Y3, Y0)
	VMULPD       Y2, Y0, Y0
	STORE
	JNZ          erf
	VZEROUPPER
	RET

// func geluRow(n int, x, y *float32, table *float64)
TEXT ·geluRow(SB), NOSPLIT, $0-32
	BEGIN
	VORPD Y15, Y9, Y8

gelu:
	LOAD
	VADDPD       Y2, Y0, Y0
	VMULPD       Y9, Y0, Y0
	VMINPD       Y2, Y14, Y2
	VMULPD       Y2, Y2, Y3
	VMULPD       Y8, Y3, Y3
	PARTS(Y3, Y4, Y5)
	VFMADD213PD  Y5, Y5, Y3
	VBROADCASTSD 104(R8), Y4
	VADDPD       Y2, Y4, Y4
	VDIVPD       Y4, Y13, Y4
	VMULPD       Y4, Y3, Y3
	VMULPD       Y2, Y3, Y3
	VBROADCASTSD 112(R8), Y5
	VBROADCASTSD 120(R8), Y7
	VFMADD231PD  Y7, Y4, Y5
	VBROADCASTSD 128(R8), Y4
	NEXT(136, Y5, Y4)
	NEXT(144, Y5, Y4)
	NEXT(152, Y5, Y4)
	NEXT(160, Y5, Y4)
	NEXT(168, Y5, Y4)
	NEXT(176, Y5, Y4)
	NEXT(184, Y5, Y4)
	NEXT(192, Y5, Y4)
	NEXT(200, Y5, Y4)
	NEXT(208, Y5, Y4)
	NEXT(216, Y5, Y4)
	NEXT(224, Y5, Y4)
	NEXT(232, Y5, Y4)
	VFNMADD231PD Y4, Y3, Y0
	STORE
	JNZ          gelu
	VZEROUPPER
	RET

// func siluRow(n int, x, y *float32, table *float64)
TEXT ·siluRow(SB), NOSPLIT, $0-32
	BEGIN
	VBROADCASTSD 104(R8), Y8

silu:
	LOAD
	VADDPD       Y2, Y0, Y0
	VMULPD       Y9, Y0, Y0
	VMINPD       Y2, Y14, Y2
	VMULPD       Y2, Y2, Y3
	VBROADCASTSD 112(R8), Y7
	VFMADD213PD  Y7, Y8, Y3
	VMULPD       Y2, Y3, Y3
	PARTS(Y3, Y4, Y5)
	VFMADD213PD  Y5, Y5, Y3
	VADDPD       Y13, Y3, Y4
	VDIVPD       Y4, Y3, Y3
	VFNMADD231PD Y3, Y2, Y0
	STORE
	JNZ          silu
	VZEROUPPER
	RET
