#include "textflag.h"
#include "rows_amd64.h"

// Products of rows in blocks of 256 elements with a vector: see rows_amd64.s. The
// scales of a block's parts are kept in the frame.

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

// SIX puts the eight scales and the eight minima of Q4_K, times d and dmin, into the
// frame.
#define SIX(src, at)                \
	MOVL      4(src), R11;          \
	MOVL      8(src), R12;          \
	MOVL      12(src), R13;         \
	MOVL      R11, R15;             \
	SHRL      $2, R15;              \
	ANDL      $0x30303030, R15;     \
	ANDL      $0x3f3f3f3f, R11;     \
	VMOVD     R11, X2;              \
	MOVL      R13, R11;             \
	ANDL      $0x0f0f0f0f, R11;     \
	ORL       R15, R11;             \
	VPINSRD   $1, R11, X2, X2;      \
	MOVL      R12, R15;             \
	SHRL      $2, R15;              \
	ANDL      $0x30303030, R15;     \
	ANDL      $0x3f3f3f3f, R12;     \
	VPINSRD   $2, R12, X2, X2;      \
	SHRL      $4, R13;              \
	ANDL      $0x0f0f0f0f, R13;     \
	ORL       R15, R13;             \
	VPINSRD   $3, R13, X2, X2;      \
	VPMOVZXBD X2, Z2;               \
	VCVTDQ2PS Z2, Z2;               \
	VPBROADCASTW (src), Y3;         \
	VPBROADCASTW 2(src), K7, Y3;    \
	VCVTPH2PS Y3, Z3;               \
	VMULPS    Z3, Z2, Z2;           \
	VMOVUPS   Z2, at(SP)

// PAIR adds sub-blocks 2i and 2i+1, of which 32 bytes have the codes.
#define PAIR(i, src, sum, at)                       \
	VMULPS.BCST (8*i+at)(SP), Z16, Z2;              \
	VSUBPS.BCST (8*i+32+at)(SP), Z2, Z2;            \
	VMULPS.BCST (8*i+4+at)(SP), Z16, Z3;            \
	VSUBPS.BCST (8*i+36+at)(SP), Z3, Z3;            \
	VPMOVZXBD   (32*i+16)(src), Z4;                 \
	VPMOVZXBD   (32*i+32)(src), Z5;                 \
	VPERMPS     Z2, Z4, Z6;                         \
	VPERMPS     Z2, Z5, Z7;                         \
	VPSRLD      $4, Z4, Z4;                         \
	VPSRLD      $4, Z5, Z5;                         \
	VPERMPS     Z3, Z4, Z4;                         \
	VPERMPS     Z3, Z5, Z5;                         \
	VFMADD231PS (256*i)(DX), Z6, sum;               \
	VFMADD231PS (256*i+64)(DX), Z7, sum;            \
	VFMADD231PS (256*i+128)(DX), Z4, sum;           \
	VFMADD231PS (256*i+192)(DX), Z5, sum

#define BLOCK4K(src, sum, at)       \
	PREFETCHT0 1024(src);           \
	PREFETCHT0 1088(src);           \
	SIX(src, at);                   \
	PAIR(0, src, sum, at);          \
	PAIR(1, src, sum, at);          \
	PREFETCHT0 1152(src);           \
	PAIR(2, src, sum, at);          \
	PAIR(3, src, sum, at)

// func rowsQ4K(rows, blocks int, w *byte, x, y *float32)
TEXT ·rowsQ4K(SB), NOSPLIT, $128-40
	VMOVUPS count<>(SB), Z16
	MOVL    $0xff00, R11
	KMOVD   R11, K7
	ROWS(144, 256, BLOCK4K, 64, pair, pairs, one, ones, done)

// EIGHTH adds sixteen elements, of which the frame has the codes and the scale.
#define EIGHTH(j, h, sum, at)                       \
	VPMOVSXBD   (16*j+64+at)(SP), Z2;               \
	VCVTDQ2PS   Z2, Z2;                             \
	VMULPS.BCST (4*j+32*h+at)(SP), Z2, Z2;          \
	VFMADD231PS (512*h+64*j)(DX), Z2, sum

// HALF adds the 128 elements of half h of Q6_K.
#define HALF(h, src, sum, at)                       \
	VMOVDQU     (64*h)(src), Y2;                    \
	VMOVDQU     (64*h+32)(src), Y3;                 \
	VMOVDQU     (32*h+128)(src), Y4;                \
	VPSLLW      $4, Y4, Y5;                         \
	VPSLLW      $2, Y4, Y6;                         \
	VPSRLW      $2, Y4, Y7;                         \
	VPAND       Y14, Y4, Y4;                        \
	VPAND       Y14, Y5, Y5;                        \
	VPAND       Y14, Y6, Y6;                        \
	VPAND       Y14, Y7, Y7;                        \
	VPTERNLOGD  $0xf8, Y15, Y2, Y5;                 \
	VPTERNLOGD  $0xf8, Y15, Y3, Y6;                 \
	VPSRLW      $4, Y2, Y2;                         \
	VPSRLW      $4, Y3, Y3;                         \
	VPTERNLOGD  $0xf8, Y15, Y2, Y4;                 \
	VPTERNLOGD  $0xf8, Y15, Y3, Y7;                 \
	VPSUBB      Y13, Y5, Y5;                        \
	VPSUBB      Y13, Y6, Y6;                        \
	VPSUBB      Y13, Y4, Y4;                        \
	VPSUBB      Y13, Y7, Y7;                        \
	VMOVDQU     Y5, (64+at)(SP);                    \
	VMOVDQU     Y6, (96+at)(SP);                    \
	VMOVDQU     Y4, (128+at)(SP);                   \
	VMOVDQU     Y7, (160+at)(SP);                   \
	EIGHTH(0, h, sum, at);                          \
	EIGHTH(1, h, sum, at);                          \
	EIGHTH(2, h, sum, at);                          \
	EIGHTH(3, h, sum, at);                          \
	EIGHTH(4, h, sum, at);                          \
	EIGHTH(5, h, sum, at);                          \
	EIGHTH(6, h, sum, at);                          \
	EIGHTH(7, h, sum, at)

#define BLOCK6K(src, sum, at)       \
	PREFETCHT0 1024(src);           \
	PREFETCHT0 1088(src);           \
	PREFETCHT0 1152(src);           \
	PREFETCHT0 1216(src);           \
	SCALE(208(src), Y2, Z2);        \
	VPMOVSXBD   192(src), Z3;       \
	VCVTDQ2PS   Z3, Z3;             \
	VMULPS      Z2, Z3, Z3;         \
	VMOVUPS     Z3, at(SP);         \
	HALF(0, src, sum, at);          \
	HALF(1, src, sum, at)

// func rowsQ6K(rows, blocks int, w *byte, x, y *float32)
TEXT ·rowsQ6K(SB), NOSPLIT, $384-40
	MOVL         $0x20, R11
	VPBROADCASTB R11, Y13
	MOVL         $0x30, R11
	VPBROADCASTB R11, Y14
	MOVL         $0x0f, R11
	VPBROADCASTB R11, Y15
	ROWS(210, 256, BLOCK6K, 192, pair, pairs, one, ones, done)
