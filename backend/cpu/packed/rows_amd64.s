#include "textflag.h"
#include "rows_amd64.h"

// Products of rows in blocks of 32 elements with a vector, for AVX-512 F, BW and
// VL: the elements are made in registers, rounded as package quant does it, and
// summed as package gemm does it, so that results are the same bits. Codes of four
// bits choose, by a permutation that takes no notice of the bits above, among the
// sixteen values that a block can have.

// The numbers from 0 on, and those from -16 on.
DATA count<>+0(SB)/4, $0x00000000
DATA count<>+4(SB)/4, $0x3f800000
DATA count<>+8(SB)/4, $0x40000000
DATA count<>+12(SB)/4, $0x40400000
DATA count<>+16(SB)/4, $0x40800000
DATA count<>+20(SB)/4, $0x40a00000
DATA count<>+24(SB)/4, $0x40c00000
DATA count<>+28(SB)/4, $0x40e00000
DATA count<>+32(SB)/4, $0x41000000
DATA count<>+36(SB)/4, $0x41100000
DATA count<>+40(SB)/4, $0x41200000
DATA count<>+44(SB)/4, $0x41300000
DATA count<>+48(SB)/4, $0x41400000
DATA count<>+52(SB)/4, $0x41500000
DATA count<>+56(SB)/4, $0x41600000
DATA count<>+60(SB)/4, $0x41700000
GLOBL count<>(SB), RODATA|NOPTR, $64
DATA sixteen<>+0(SB)/4, $0x41800000
GLOBL sixteen<>(SB), RODATA|NOPTR, $4

#define BLOCK8(src, sum, at)        \
	AHEAD(src);                     \
	SCALE((src), Y2, Z2);           \
	VPMOVSXBD   2(src), Z3;         \
	VPMOVSXBD   18(src), Z4;        \
	VCVTDQ2PS   Z3, Z3;             \
	VCVTDQ2PS   Z4, Z4;             \
	VMULPS      Z2, Z3, Z3;         \
	VMULPS      Z2, Z4, Z4;         \
	VFMADD231PS (DX), Z3, sum;      \
	VFMADD231PS 64(DX), Z4, sum

// func rowsQ8_0(rows, blocks int, w *byte, x, y *float32)
TEXT ·rowsQ8_0(SB), NOSPLIT, $0-40
	ROWS(34, 32, BLOCK8, 0, pair, pairs, one, ones, done)

// NIBBLES adds the products of sixteen bytes, of which Z2 has the values.
#define NIBBLES(codes, sum)         \
	VPMOVZXBD   codes, Z3;          \
	VPSRLD      $4, Z3, Z4;         \
	VPERMPS     Z2, Z3, Z3;         \
	VPERMPS     Z2, Z4, Z4;         \
	VFMADD231PS (DX), Z3, sum;      \
	VFMADD231PS 64(DX), Z4, sum

#define BLOCK4(src, sum, at)        \
	AHEAD(src);                     \
	SCALE((src), Y2, Z2);           \
	VMULPS      Z16, Z2, Z2;        \
	NIBBLES(2(src), sum)

// func rowsSteps(rows, blocks int, w *byte, x, y, steps *float32)
TEXT ·rowsSteps(SB), NOSPLIT, $0-48
	MOVQ    steps+40(FP), AX
	VMOVUPS (AX), Z16
	ROWS(18, 32, BLOCK4, 0, pair, pairs, one, ones, done)

#define BLOCK41(src, sum, at)       \
	AHEAD(src);                     \
	SCALE((src), Y2, Z2);           \
	SCALE(2(src), Y3, Z3);          \
	VMULPS      Z16, Z2, Z2;        \
	VADDPS      Z3, Z2, Z2;         \
	NIBBLES(4(src), sum)

// func rowsQ4_1(rows, blocks int, w *byte, x, y *float32)
TEXT ·rowsQ4_1(SB), NOSPLIT, $0-40
	VMOVUPS count<>(SB), Z16
	ROWS(20, 32, BLOCK41, 0, pair, pairs, one, ones, done)

#define BLOCK5(src, sum, at)        \
	AHEAD(src);                     \
	SCALE((src), Y2, Z2);           \
	VPMOVZXBD   6(src), Z3;         \
	KMOVW       2(src), K1;         \
	KMOVW       4(src), K2;         \
	VMULPS      Z16, Z2, Z5;        \
	VMULPS      Z17, Z2, Z6;        \
	VPSRLD      $4, Z3, Z4;         \
	VPERMPS     Z6, Z3, Z7;         \
	VPERMPS     Z6, Z4, Z8;         \
	VPERMPS     Z5, Z3, K1, Z7;     \
	VPERMPS     Z5, Z4, K2, Z8;     \
	VFMADD231PS (DX), Z7, sum;      \
	VFMADD231PS 64(DX), Z8, sum

// func rowsQ5_0(rows, blocks int, w *byte, x, y *float32)
TEXT ·rowsQ5_0(SB), NOSPLIT, $0-40
	VMOVUPS     count<>(SB), Z16
	VSUBPS.BCST sixteen<>(SB), Z16, Z17
	ROWS(22, 32, BLOCK5, 0, pair, pairs, one, ones, done)
