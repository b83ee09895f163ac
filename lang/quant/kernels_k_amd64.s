#include "textflag.h"
#include "kernels_amd64.h"

// Kernels of the K types; see kernels_amd64.s.

// SCALES6 unpacks the twelve bytes of scales and minima of Q4_K and Q5_K into
// bytes, multiplies them by d (in Y0) and dmin (in Y1), and leaves the eight
// scales at 0(SP) and the eight minima at 32(SP). R8 to R10 hold 0x3f3f3f3f,
// 0x0f0f0f0f and 0x30303030.
#define SCALES6(from0, from4, from8) \
	MOVL from0, AX; \
	MOVL from4, BX; \
	MOVL from8, DX; \
	MOVL AX, R11; \
	SHRL $2, R11; \
	ANDL R10, R11; \
	MOVL BX, R12; \
	SHRL $2, R12; \
	ANDL R10, R12; \
	ANDL R8, AX; \
	ANDL R8, BX; \
	MOVL DX, R13; \
	SHRL $4, R13; \
	ANDL R9, R13; \
	ANDL R9, DX; \
	ORL R11, DX; \
	ORL R12, R13; \
	SHLQ $32, DX; \
	SHLQ $32, R13; \
	ORQ DX, AX; \
	ORQ R13, BX; \
	MOVQ AX, X2; \
	MOVQ BX, X3; \
	VPMOVZXBD X2, Y2; \
	VPMOVZXBD X3, Y3; \
	VCVTDQ2PS Y2, Y2; \
	VCVTDQ2PS Y3, Y3; \
	VMULPS Y2, Y0, Y2; \
	VMULPS Y3, Y1, Y3; \
	VMOVUPS Y2, 0(SP); \
	VMOVUPS Y3, 32(SP)

// AFFINE writes eight elements: q*scale-low.
#define AFFINE(q, scale, low, to) \
	VCVTDQ2PS q, q; \
	VMULPS q, scale, q; \
	VSUBPS low, q, q; \
	VMOVUPS q, to

// NIBBLES4K writes the elements of the low and the high halves of eight bytes,
// 32 elements apart, of scales and minima Y4, Y5 and Y6, Y7.
#define NIBBLES4K(from, low, high) \
	VPMOVZXBD from, Y8; \
	VPSRLD $4, Y8, Y9; \
	VPAND Y15, Y8, Y8; \
	AFFINE(Y8, Y4, Y5, low); \
	AFFINE(Y9, Y6, Y7, high)

#define QUARTER4K(k) \
	VBROADCASTSS (8*k)(SP), Y4; \
	VBROADCASTSS (8*k+32)(SP), Y5; \
	VBROADCASTSS (8*k+4)(SP), Y6; \
	VBROADCASTSS (8*k+36)(SP), Y7; \
	NIBBLES4K((32*k+16)(SI), (256*k)(DI), (256*k+128)(DI)); \
	NIBBLES4K((32*k+24)(SI), (256*k+32)(DI), (256*k+160)(DI)); \
	NIBBLES4K((32*k+32)(SI), (256*k+64)(DI), (256*k+192)(DI)); \
	NIBBLES4K((32*k+40)(SI), (256*k+96)(DI), (256*k+224)(DI))

// func q4K(dst *float32, src *byte, blocks int)
TEXT ·q4K(SB), NOSPLIT, $64-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(15, X15, Y15)
	MOVL $0x3f3f3f3f, R8
	MOVL $0x0f0f0f0f, R9
	MOVL $0x30303030, R10

q4Kblock:
	SCALE(0(SI), X0, Y0)
	SCALE(2(SI), X1, Y1)
	SCALES6(4(SI), 8(SI), 12(SI))
	QUARTER4K(0)
	QUARTER4K(1)
	QUARTER4K(2)
	QUARTER4K(3)
	ADDQ $144, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  q4Kblock
	VZEROUPPER
	RET
