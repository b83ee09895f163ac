#include "textflag.h"

// Tiles of a product. Each element of the result is one chain of fused
// multiply-adds in the order of k, so that the width of the vectors, the rows of
// a tile and the blocks of k never show in a result.
//
// SI panel of a, DI the strip of b, R9 where its rows are, DX c, R8 bytes to the
// next row of c, CX steps that are left.

#define ARGUMENTS             \
	MOVQ  k+0(FP), CX;        \
	MOVQ  a+8(FP), SI;        \
	MOVQ  b+16(FP), DI;       \
	MOVQ  at+24(FP), R9;      \
	MOVQ  c+32(FP), DX;       \
	MOVQ  ldc+40(FP), R8;     \
	SHLQ  $2, R8;             \
	MOVQ  add+48(FP), AX;     \
	TESTQ AX, AX

// A row of the tile: an element of a times a row of b.
#define ROW512(at, x, c0, c1) \
	VBROADCASTSS at(SI), x;   \
	VFMADD231PS Z24, x, c0;   \
	VFMADD231PS Z25, x, c1

// AHEAD asks for the rows of c that the next panel's tile has.
#define AHEAD(r) \
	PREFETCHT0 (r);    \
	PREFETCHT0 64(r);  \
	ADDQ       R8, r

#define STRIP512                 \
	MOVQ    (R9), R10;           \
	VMOVUPS (DI)(R10*4), Z24;    \
	VMOVUPS 64(DI)(R10*4), Z25

#define NEXT512      \
	ADDQ $8, R9;     \
	ADDQ $48, SI;    \
	DECQ CX

#define LOAD512(c0, c1) \
	VMOVUPS (DX), c0;   \
	VMOVUPS 64(DX), c1; \
	ADDQ    R8, DX

#define STORE512(c0, c1) \
	VMOVUPS c0, (DX);    \
	VMOVUPS c1, 64(DX);  \
	ADDQ    R8, DX

#define ZERO512(c0, c1) \
	VPXORQ c0, c0, c0;  \
	VPXORQ c1, c1, c1

// func tile12x32(k int, a, b *float32, at *int, c *float32, ldc, add int)
TEXT ·tile12x32(SB), NOSPLIT, $0-56
	MOVQ c+32(FP), DX
	MOVQ ldc+40(FP), R8
	SHLQ $2, R8
	LEAQ (DX)(R8*8), R11
	LEAQ (R11)(R8*4), R11
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	AHEAD(R11)
	ARGUMENTS
	JZ    zero12
	LOAD512(Z0, Z1)
	LOAD512(Z2, Z3)
	LOAD512(Z4, Z5)
	LOAD512(Z6, Z7)
	LOAD512(Z8, Z9)
	LOAD512(Z10, Z11)
	LOAD512(Z12, Z13)
	LOAD512(Z14, Z15)
	LOAD512(Z16, Z17)
	LOAD512(Z18, Z19)
	LOAD512(Z20, Z21)
	LOAD512(Z22, Z23)
	MOVQ  c+32(FP), DX
	JMP   loop12

zero12:
	ZERO512(Z0, Z1)
	ZERO512(Z2, Z3)
	ZERO512(Z4, Z5)
	ZERO512(Z6, Z7)
	ZERO512(Z8, Z9)
	ZERO512(Z10, Z11)
	ZERO512(Z12, Z13)
	ZERO512(Z14, Z15)
	ZERO512(Z16, Z17)
	ZERO512(Z18, Z19)
	ZERO512(Z20, Z21)
	ZERO512(Z22, Z23)

loop12:
	STRIP512
	ROW512(0, Z26, Z0, Z1)
	ROW512(4, Z27, Z2, Z3)
	ROW512(8, Z28, Z4, Z5)
	ROW512(12, Z29, Z6, Z7)
	ROW512(16, Z26, Z8, Z9)
	ROW512(20, Z27, Z10, Z11)
	ROW512(24, Z28, Z12, Z13)
	ROW512(28, Z29, Z14, Z15)
	ROW512(32, Z26, Z16, Z17)
	ROW512(36, Z27, Z18, Z19)
	ROW512(40, Z28, Z20, Z21)
	ROW512(44, Z29, Z22, Z23)
	NEXT512
	JNZ  loop12
	STORE512(Z0, Z1)
	STORE512(Z2, Z3)
	STORE512(Z4, Z5)
	STORE512(Z6, Z7)
	STORE512(Z8, Z9)
	STORE512(Z10, Z11)
	STORE512(Z12, Z13)
	STORE512(Z14, Z15)
	STORE512(Z16, Z17)
	STORE512(Z18, Z19)
	STORE512(Z20, Z21)
	STORE512(Z22, Z23)
	VZEROUPPER
	RET

// func tile8x32(k int, a, b *float32, at *int, c *float32, ldc, add int)
TEXT ·tile8x32(SB), NOSPLIT, $0-56
	ARGUMENTS
	JZ    zero8
	LOAD512(Z0, Z1)
	LOAD512(Z2, Z3)
	LOAD512(Z4, Z5)
	LOAD512(Z6, Z7)
	LOAD512(Z8, Z9)
	LOAD512(Z10, Z11)
	LOAD512(Z12, Z13)
	LOAD512(Z14, Z15)
	MOVQ  c+32(FP), DX
	JMP   loop8

zero8:
	ZERO512(Z0, Z1)
	ZERO512(Z2, Z3)
	ZERO512(Z4, Z5)
	ZERO512(Z6, Z7)
	ZERO512(Z8, Z9)
	ZERO512(Z10, Z11)
	ZERO512(Z12, Z13)
	ZERO512(Z14, Z15)

loop8:
	STRIP512
	ROW512(0, Z26, Z0, Z1)
	ROW512(4, Z27, Z2, Z3)
	ROW512(8, Z28, Z4, Z5)
	ROW512(12, Z29, Z6, Z7)
	ROW512(16, Z26, Z8, Z9)
	ROW512(20, Z27, Z10, Z11)
	ROW512(24, Z28, Z12, Z13)
	ROW512(28, Z29, Z14, Z15)
	NEXT512
	JNZ  loop8
	STORE512(Z0, Z1)
	STORE512(Z2, Z3)
	STORE512(Z4, Z5)
	STORE512(Z6, Z7)
	STORE512(Z8, Z9)
	STORE512(Z10, Z11)
	STORE512(Z12, Z13)
	STORE512(Z14, Z15)
	VZEROUPPER
	RET

// func tile4x32(k int, a, b *float32, at *int, c *float32, ldc, add int)
TEXT ·tile4x32(SB), NOSPLIT, $0-56
	ARGUMENTS
	JZ    zero4
	LOAD512(Z0, Z1)
	LOAD512(Z2, Z3)
	LOAD512(Z4, Z5)
	LOAD512(Z6, Z7)
	MOVQ  c+32(FP), DX
	JMP   loop4

zero4:
	ZERO512(Z0, Z1)
	ZERO512(Z2, Z3)
	ZERO512(Z4, Z5)
	ZERO512(Z6, Z7)

loop4:
	STRIP512
	ROW512(0, Z26, Z0, Z1)
	ROW512(4, Z27, Z2, Z3)
	ROW512(8, Z28, Z4, Z5)
	ROW512(12, Z29, Z6, Z7)
	NEXT512
	JNZ  loop4
	STORE512(Z0, Z1)
	STORE512(Z2, Z3)
	STORE512(Z4, Z5)
	STORE512(Z6, Z7)
	VZEROUPPER
	RET

#define ROW256(at, x, c0, c1) \
	VBROADCASTSS at(SI), x;   \
	VFMADD231PS Y12, x, c0;   \
	VFMADD231PS Y13, x, c1

#define LOAD256(c0, c1) \
	VMOVUPS (DX), c0;   \
	VMOVUPS 32(DX), c1; \
	ADDQ    R8, DX

#define STORE256(c0, c1) \
	VMOVUPS c0, (DX);    \
	VMOVUPS c1, 32(DX);  \
	ADDQ    R8, DX

#define ZERO256(c0, c1) \
	VXORPS c0, c0, c0;  \
	VXORPS c1, c1, c1

// func tile6x16(k int, a, b *float32, at *int, c *float32, ldc, add int)
TEXT ·tile6x16(SB), NOSPLIT, $0-56
	ARGUMENTS
	JZ    zero256
	LOAD256(Y0, Y1)
	LOAD256(Y2, Y3)
	LOAD256(Y4, Y5)
	LOAD256(Y6, Y7)
	LOAD256(Y8, Y9)
	LOAD256(Y10, Y11)
	MOVQ  c+32(FP), DX
	JMP   loop256

zero256:
	ZERO256(Y0, Y1)
	ZERO256(Y2, Y3)
	ZERO256(Y4, Y5)
	ZERO256(Y6, Y7)
	ZERO256(Y8, Y9)
	ZERO256(Y10, Y11)

loop256:
	MOVQ    (R9), R10
	VMOVUPS (DI)(R10*4), Y12
	VMOVUPS 32(DI)(R10*4), Y13
	ROW256(0, Y14, Y0, Y1)
	ROW256(4, Y15, Y2, Y3)
	ROW256(8, Y14, Y4, Y5)
	ROW256(12, Y15, Y6, Y7)
	ROW256(16, Y14, Y8, Y9)
	ROW256(20, Y15, Y10, Y11)
	ADDQ $8, R9
	ADDQ $24, SI
	DECQ CX
	JNZ  loop256
	STORE256(Y0, Y1)
	STORE256(Y2, Y3)
	STORE256(Y4, Y5)
	STORE256(Y6, Y7)
	STORE256(Y8, Y9)
	STORE256(Y10, Y11)
	VZEROUPPER
	RET
