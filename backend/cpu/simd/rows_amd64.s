#include "textflag.h"

// Rows of float32 with AVX2 and FMA, computed in float64 and rounded once. n is a
// multiple of 8 and at least 8.

// e to the power r is 1 + c1 r + c2 r^2 + ... + c7 r^7 for |r| <= ln(2)/2, with a
// relative error below 2^-33: Chebyshev interpolation of (e^r - 1)/r.
DATA ·c1+0(SB)/8, $0x3ff0000000000000
GLOBL ·c1(SB), RODATA|NOPTR, $8
DATA ·c2+0(SB)/8, $0x3fe000000289873a
GLOBL ·c2(SB), RODATA|NOPTR, $8
DATA ·c3+0(SB)/8, $0x3fc555555675e3d0
GLOBL ·c3(SB), RODATA|NOPTR, $8
DATA ·c4+0(SB)/8, $0x3fa5554ac8ab8909
GLOBL ·c4(SB), RODATA|NOPTR, $8
DATA ·c5+0(SB)/8, $0x3f81110c613ed8f1
GLOBL ·c5(SB), RODATA|NOPTR, $8
DATA ·c6+0(SB)/8, $0x3f56d758bcd6903a
GLOBL ·c6(SB), RODATA|NOPTR, $8
DATA ·c7+0(SB)/8, $0x3f2a151b9b9f9468
GLOBL ·c7(SB), RODATA|NOPTR, $8
DATA ·log2e+0(SB)/8, $0x3ff71547652b82fe
GLOBL ·log2e(SB), RODATA|NOPTR, $8
DATA ·ln2+0(SB)/8, $0x3fe62e42fefa39ef
GLOBL ·ln2(SB), RODATA|NOPTR, $8
DATA ·magic+0(SB)/8, $0x4338000000000000
GLOBL ·magic(SB), RODATA|NOPTR, $8
DATA ·low+0(SB)/8, $0xc05b800000000000
GLOBL ·low(SB), RODATA|NOPTR, $8
DATA ·high+0(SB)/8, $0x405b800000000000
GLOBL ·high(SB), RODATA|NOPTR, $8
DATA ·one+0(SB)/8, $0x3ff0000000000000
GLOBL ·one(SB), RODATA|NOPTR, $8

// Broadcasts what EXP needs.
#define CONSTANTS                   \
	VBROADCASTSD ·low(SB), Y15;     \
	VBROADCASTSD ·high(SB), Y14;    \
	VBROADCASTSD ·log2e(SB), Y13;   \
	VBROADCASTSD ·magic(SB), Y12;   \
	VBROADCASTSD ·ln2(SB), Y11;     \
	VBROADCASTSD ·c7(SB), Y10;      \
	VBROADCASTSD ·c6(SB), Y9;       \
	VBROADCASTSD ·one(SB), Y8

// Replaces x by its exponential, which for x below -110 and above 110 is that of
// the limit: beyond float32 either way, and so is its inverse. NaN, as second source, stays. 2^n is added
// to the exponent; the last bits of magic + n are those of n.
#define EXP(x, p, t)                    \
	VMAXPD       x, Y15, x;             \
	VMINPD       x, Y14, x;             \
	VMOVAPD      Y12, t;                \
	VFMADD231PD  Y13, x, t;             \
	VSUBPD       Y12, t, p;             \
	VFNMADD231PD Y11, p, x;             \
	VMOVAPD      Y10, p;                \
	VFMADD213PD  Y9, x, p;              \
	VPSLLQ       $52, t, t;             \
	VBROADCASTSD ·c5(SB), Y7;           \
	VFMADD213PD  Y7, x, p;              \
	VBROADCASTSD ·c4(SB), Y7;           \
	VFMADD213PD  Y7, x, p;              \
	VBROADCASTSD ·c3(SB), Y7;           \
	VFMADD213PD  Y7, x, p;              \
	VBROADCASTSD ·c2(SB), Y7;           \
	VFMADD213PD  Y7, x, p;              \
	VBROADCASTSD ·c1(SB), Y7;           \
	VFMADD213PD  Y7, x, p;              \
	VFMADD213PD  Y8, p, x;              \
	VPADDQ       t, x, x

// Adds the parts of the sums x and y into the first element of lo, the low half of x.
#define SUM(x, y, lo, t)        \
	VADDPD       y, x, x;       \
	VEXTRACTF128 $1, x, t;      \
	VADDPD       t, lo, lo;     \
	VPERMILPD    $1, lo, t;     \
	VADDSD       t, lo, lo

// func expRow(n int, x, y *float32, c float64) float64
TEXT ·expRow(SB), NOSPLIT, $0-40
	MOVQ         n+0(FP), CX
	MOVQ         x+8(FP), SI
	MOVQ         y+16(FP), DI
	VBROADCASTSD c+24(FP), Y6
	VXORPD       Y4, Y4, Y4
	VXORPD       Y5, Y5, Y5
	CONSTANTS

exp:
	VCVTPS2PD  (SI), Y0
	VCVTPS2PD  16(SI), Y1
	VSUBPD     Y6, Y0, Y0
	VSUBPD     Y6, Y1, Y1
	EXP(Y0, Y2, Y3)
	VADDPD     Y0, Y4, Y4
	VCVTPD2PSY Y0, X0
	VMOVUPS    X0, (DI)
	EXP(Y1, Y2, Y3)
	VADDPD     Y1, Y5, Y5
	VCVTPD2PSY Y1, X1
	VMOVUPS    X1, 16(DI)
	ADDQ       $32, SI
	ADDQ       $32, DI
	SUBQ       $8, CX
	JNZ        exp
	SUM(Y4, Y5, X4, X0)
	VMOVSD     X4, ret+32(FP)
	VZEROUPPER
	RET

// func logisticRow(n int, x, y *float32)
TEXT ·logisticRow(SB), NOSPLIT, $0-24
	MOVQ   n+0(FP), CX
	MOVQ   x+8(FP), SI
	MOVQ   y+16(FP), DI
	VXORPD Y6, Y6, Y6
	CONSTANTS

logistic:
	VCVTPS2PD  (SI), Y0
	VCVTPS2PD  16(SI), Y1
	VSUBPD     Y0, Y6, Y0
	VSUBPD     Y1, Y6, Y1
	EXP(Y0, Y2, Y3)
	VADDPD     Y8, Y0, Y0
	VDIVPD     Y0, Y8, Y0
	VCVTPD2PSY Y0, X0
	VMOVUPS    X0, (DI)
	EXP(Y1, Y2, Y3)
	VADDPD     Y8, Y1, Y1
	VDIVPD     Y1, Y8, Y1
	VCVTPD2PSY Y1, X1
	VMOVUPS    X1, 16(DI)
	ADDQ       $32, SI
	ADDQ       $32, DI
	SUBQ       $8, CX
	JNZ        logistic
	VZEROUPPER
	RET

// func maxRow(n int, x *float32) float32
TEXT ·maxRow(SB), NOSPLIT, $0-20
	MOVQ    n+0(FP), CX
	MOVQ    x+8(FP), SI
	VMOVUPS (SI), Y0
	JMP     rest

top:
	VMAXPS (SI), Y0, Y0

rest:
	ADDQ         $32, SI
	SUBQ         $8, CX
	JNZ          top
	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VPERMILPS    $0x4e, X0, X1
	VMAXPS       X1, X0, X0
	VPERMILPS    $0xb1, X0, X1
	VMAXPS       X1, X0, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET

// func scaleRow(n int, y *float32, f float64)
TEXT ·scaleRow(SB), NOSPLIT, $0-24
	MOVQ         n+0(FP), CX
	MOVQ         y+8(FP), DI
	VBROADCASTSD f+16(FP), Y6

scale:
	VCVTPS2PD  (DI), Y0
	VCVTPS2PD  16(DI), Y1
	VMULPD     Y6, Y0, Y0
	VMULPD     Y6, Y1, Y1
	VCVTPD2PSY Y0, X0
	VCVTPD2PSY Y1, X1
	VMOVUPS    X0, (DI)
	VMOVUPS    X1, 16(DI)
	ADDQ       $32, DI
	SUBQ       $8, CX
	JNZ        scale
	VZEROUPPER
	RET

// func sumRow(n int, x *float32) float64
TEXT ·sumRow(SB), NOSPLIT, $0-24
	MOVQ   n+0(FP), CX
	MOVQ   x+8(FP), SI
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5

add:
	VCVTPS2PD (SI), Y0
	VCVTPS2PD 16(SI), Y1
	VADDPD    Y0, Y4, Y4
	VADDPD    Y1, Y5, Y5
	ADDQ      $32, SI
	SUBQ      $8, CX
	JNZ       add
	SUM(Y4, Y5, X4, X0)
	VMOVSD    X4, ret+16(FP)
	VZEROUPPER
	RET

// func squaresRow(n int, x *float32, mean float64) float64
TEXT ·squaresRow(SB), NOSPLIT, $0-32
	MOVQ         n+0(FP), CX
	MOVQ         x+8(FP), SI
	VBROADCASTSD mean+16(FP), Y6
	VXORPD       Y4, Y4, Y4
	VXORPD       Y5, Y5, Y5

squares:
	VCVTPS2PD   (SI), Y0
	VCVTPS2PD   16(SI), Y1
	VSUBPD      Y6, Y0, Y0
	VSUBPD      Y6, Y1, Y1
	VFMADD231PD Y0, Y0, Y4
	VFMADD231PD Y1, Y1, Y5
	ADDQ        $32, SI
	SUBQ        $8, CX
	JNZ         squares
	SUM(Y4, Y5, X4, X0)
	VMOVSD      X4, ret+24(FP)
	VZEROUPPER
	RET

// func normRow(n int, x, gamma, beta, y *float32, mean, scale float64)
TEXT ·normRow(SB), NOSPLIT, $0-56
	MOVQ         n+0(FP), CX
	MOVQ         x+8(FP), SI
	MOVQ         gamma+16(FP), R8
	MOVQ         beta+24(FP), R9
	MOVQ         y+32(FP), DI
	VBROADCASTSD mean+40(FP), Y6
	VBROADCASTSD scale+48(FP), Y7

norm:
	VCVTPS2PD   (SI), Y0
	VCVTPS2PD   16(SI), Y1
	VSUBPD      Y6, Y0, Y0
	VSUBPD      Y6, Y1, Y1
	VMULPD      Y7, Y0, Y0
	VMULPD      Y7, Y1, Y1
	VCVTPS2PD   (R8), Y2
	VCVTPS2PD   16(R8), Y3
	VCVTPS2PD   (R9), Y4
	VCVTPS2PD   16(R9), Y5
	VFMADD213PD Y4, Y2, Y0
	VFMADD213PD Y5, Y3, Y1
	VCVTPD2PSY  Y0, X0
	VCVTPD2PSY  Y1, X1
	VMOVUPS     X0, (DI)
	VMOVUPS     X1, 16(DI)
	ADDQ        $32, SI
	ADDQ        $32, R8
	ADDQ        $32, R9
	ADDQ        $32, DI
	SUBQ        $8, CX
	JNZ         norm
	VZEROUPPER
	RET
