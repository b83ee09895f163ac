#include "textflag.h"
#include "neon_arm64.h"

// Tiles of a product; the chains of multiply-adds are those of tile_amd64.s.
//
// R0 panel of a, R1 the strip of b, R2 where its rows are, R3 c, R4 bytes to the
// next row of c, R5 steps that are left.

#define ARGUMENTS           \
	MOVD k+0(FP), R5;       \
	MOVD a+8(FP), R0;       \
	MOVD b+16(FP), R1;      \
	MOVD at+24(FP), R2;     \
	MOVD c+32(FP), R3;      \
	MOVD ldc+40(FP), R4;    \
	LSL  $2, R4;            \
	MOVD add+48(FP), R6

// STRIP loads the next row of b, and PANEL the next elements of a, of which a
// panel always has eight.
#define STRIP                              \
	MOVD.P 8(R2), R7;                      \
	ADD    R7<<2, R1, R7;                  \
	VLD1   (R7), [V0.S4, V1.S4, V2.S4];    \
	VLD1.P 32(R0), [V3.S4, V4.S4]

// ROW adds element i of a times the row of b to a row of the tile.
#define ROW(m, i, c0, c1, c2) \
	FMLA(m, i, 0, c0);        \
	FMLA(m, i, 1, c1);        \
	FMLA(m, i, 2, c2)

// func tile8x12(k int, a, b *float32, at *int, c *float32, ldc, add int)
TEXT ·tile8x12(SB), NOSPLIT, $0-56
	ARGUMENTS
	CBZ R6, zero8
	VLD1 (R3), [V8.S4, V9.S4, V10.S4]
	ADD  R4, R3
	VLD1 (R3), [V11.S4, V12.S4, V13.S4]
	ADD  R4, R3
	VLD1 (R3), [V14.S4, V15.S4, V16.S4]
	ADD  R4, R3
	VLD1 (R3), [V17.S4, V18.S4, V19.S4]
	ADD  R4, R3
	VLD1 (R3), [V20.S4, V21.S4, V22.S4]
	ADD  R4, R3
	VLD1 (R3), [V23.S4, V24.S4, V25.S4]
	ADD  R4, R3
	VLD1 (R3), [V26.S4, V27.S4, V28.S4]
	ADD  R4, R3
	VLD1 (R3), [V29.S4, V30.S4, V31.S4]
	ADD  R4, R3
	MOVD c+32(FP), R3
	B    loop8

zero8:
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR V20.B16, V20.B16, V20.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V22.B16, V22.B16, V22.B16
	VEOR V23.B16, V23.B16, V23.B16
	VEOR V24.B16, V24.B16, V24.B16
	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
	VEOR V27.B16, V27.B16, V27.B16
	VEOR V28.B16, V28.B16, V28.B16
	VEOR V29.B16, V29.B16, V29.B16
	VEOR V30.B16, V30.B16, V30.B16
	VEOR V31.B16, V31.B16, V31.B16

loop8:
	STRIP
	ROW(3, 0, 8, 9, 10)
	ROW(3, 1, 11, 12, 13)
	ROW(3, 2, 14, 15, 16)
	ROW(3, 3, 17, 18, 19)
	ROW(4, 0, 20, 21, 22)
	ROW(4, 1, 23, 24, 25)
	ROW(4, 2, 26, 27, 28)
	ROW(4, 3, 29, 30, 31)
	SUB  $1, R5
	CBNZ R5, loop8
	VST1 [V8.S4, V9.S4, V10.S4], (R3)
	ADD  R4, R3
	VST1 [V11.S4, V12.S4, V13.S4], (R3)
	ADD  R4, R3
	VST1 [V14.S4, V15.S4, V16.S4], (R3)
	ADD  R4, R3
	VST1 [V17.S4, V18.S4, V19.S4], (R3)
	ADD  R4, R3
	VST1 [V20.S4, V21.S4, V22.S4], (R3)
	ADD  R4, R3
	VST1 [V23.S4, V24.S4, V25.S4], (R3)
	ADD  R4, R3
	VST1 [V26.S4, V27.S4, V28.S4], (R3)
	ADD  R4, R3
	VST1 [V29.S4, V30.S4, V31.S4], (R3)
	ADD  R4, R3
	RET

// func tile4x12(k int, a, b *float32, at *int, c *float32, ldc, add int)
TEXT ·tile4x12(SB), NOSPLIT, $0-56
	ARGUMENTS
	CBZ R6, zero4
	VLD1 (R3), [V8.S4, V9.S4, V10.S4]
	ADD  R4, R3
	VLD1 (R3), [V11.S4, V12.S4, V13.S4]
	ADD  R4, R3
	VLD1 (R3), [V14.S4, V15.S4, V16.S4]
	ADD  R4, R3
	VLD1 (R3), [V17.S4, V18.S4, V19.S4]
	ADD  R4, R3
	MOVD c+32(FP), R3
	B    loop4

zero4:
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16

loop4:
	STRIP
	ROW(3, 0, 8, 9, 10)
	ROW(3, 1, 11, 12, 13)
	ROW(3, 2, 14, 15, 16)
	ROW(3, 3, 17, 18, 19)
	SUB  $1, R5
	CBNZ R5, loop4
	VST1 [V8.S4, V9.S4, V10.S4], (R3)
	ADD  R4, R3
	VST1 [V11.S4, V12.S4, V13.S4], (R3)
	ADD  R4, R3
	VST1 [V14.S4, V15.S4, V16.S4], (R3)
	ADD  R4, R3
	VST1 [V17.S4, V18.S4, V19.S4], (R3)
	ADD  R4, R3
	RET
