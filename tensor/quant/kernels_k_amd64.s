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

// FIVES5K is NIBBLES4K with a fifth bit, which the shifts bring from the bytes
// of the third operand to bit 4.
#define FIVES5K(from, fifths, shiftlow, nlow, shifthigh, nhigh, low, high) \
	VPMOVZXBD from, Y8; \
	VPMOVZXBD fifths, Y10; \
	VPSRLD $4, Y8, Y9; \
	VPAND Y15, Y8, Y8; \
	shiftlow $nlow, Y10, Y11; \
	shifthigh $nhigh, Y10, Y10; \
	VPAND Y14, Y11, Y11; \
	VPAND Y14, Y10, Y10; \
	VPOR Y11, Y8, Y8; \
	VPOR Y10, Y9, Y9; \
	AFFINE(Y8, Y4, Y5, low); \
	AFFINE(Y9, Y6, Y7, high)

#define QUARTER5K(k, shiftlow, nlow, shifthigh, nhigh) \
	VBROADCASTSS (8*k)(SP), Y4; \
	VBROADCASTSS (8*k+32)(SP), Y5; \
	VBROADCASTSS (8*k+4)(SP), Y6; \
	VBROADCASTSS (8*k+36)(SP), Y7; \
	FIVES5K((32*k+48)(SI), 16(SI), shiftlow, nlow, shifthigh, nhigh, (256*k)(DI), (256*k+128)(DI)); \
	FIVES5K((32*k+56)(SI), 24(SI), shiftlow, nlow, shifthigh, nhigh, (256*k+32)(DI), (256*k+160)(DI)); \
	FIVES5K((32*k+64)(SI), 32(SI), shiftlow, nlow, shifthigh, nhigh, (256*k+64)(DI), (256*k+192)(DI)); \
	FIVES5K((32*k+72)(SI), 40(SI), shiftlow, nlow, shifthigh, nhigh, (256*k+96)(DI), (256*k+224)(DI))

// GROUP6K writes 16 elements from codes on the stack and the scale at from.
#define GROUP6K(scale, codes, to) \
	VBROADCASTSS scale, Y0; \
	VPMOVSXBD codes(SP), Y1; \
	VPMOVSXBD (codes+8)(SP), Y2; \
	VCVTDQ2PS Y1, Y1; \
	VCVTDQ2PS Y2, Y2; \
	VMULPS Y1, Y0, Y1; \
	VMULPS Y2, Y0, Y2; \
	VMOVUPS Y1, (to)(DI); \
	VMOVUPS Y2, (to+32)(DI)

// CODES6K puts 32 codes together from their low four bits in y and the others,
// at bits 4 and 5, in high, subtracts 32 and leaves them on the stack.
#define CODES6K(y, high, to) \
	VPAND Y15, y, y; \
	VPAND Y14, high, high; \
	VPOR high, y, y; \
	VPSUBB Y13, y, y; \
	VMOVDQU y, to(SP)

#define HALF6K(h) \
	VMOVDQU (64*h)(SI), Y3; \
	VMOVDQU (64*h+32)(SI), Y4; \
	VMOVDQU (32*h+128)(SI), Y7; \
	VPSRLW $4, Y3, Y5; \
	VPSRLW $4, Y4, Y6; \
	VPSLLW $4, Y7, Y8; \
	VPSLLW $2, Y7, Y9; \
	VPSRLW $2, Y7, Y10; \
	CODES6K(Y3, Y8, 64); \
	CODES6K(Y4, Y9, 96); \
	CODES6K(Y5, Y7, 128); \
	CODES6K(Y6, Y10, 160); \
	GROUP6K((32*h)(SP), 64, 512*h); \
	GROUP6K((32*h+4)(SP), 80, 512*h+64); \
	GROUP6K((32*h+8)(SP), 96, 512*h+128); \
	GROUP6K((32*h+12)(SP), 112, 512*h+192); \
	GROUP6K((32*h+16)(SP), 128, 512*h+256); \
	GROUP6K((32*h+20)(SP), 144, 512*h+320); \
	GROUP6K((32*h+24)(SP), 160, 512*h+384); \
	GROUP6K((32*h+28)(SP), 176, 512*h+448)

// func q4K(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q4K(SB), NOSPLIT, $64-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(15, X15, Y15)
	MOVL $0x3f3f3f3f, R8
	MOVL $0x0f0f0f0f, R9
	MOVL $0x30303030, R10

q4Kblock:
	AHEAD(q4Kunpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

q4Kunpack:
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

// func q5K(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q5K(SB), NOSPLIT, $64-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(15, X15, Y15)
	MASK(16, X14, Y14)
	MOVL $0x3f3f3f3f, R8
	MOVL $0x0f0f0f0f, R9
	MOVL $0x30303030, R10

q5Kblock:
	AHEAD(q5Kunpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

q5Kunpack:
	SCALE(0(SI), X0, Y0)
	SCALE(2(SI), X1, Y1)
	SCALES6(4(SI), 8(SI), 12(SI))
	QUARTER5K(0, VPSLLD, 4, VPSLLD, 3)
	QUARTER5K(1, VPSLLD, 2, VPSLLD, 1)
	QUARTER5K(2, VPSLLD, 0, VPSRLD, 1)
	QUARTER5K(3, VPSRLD, 2, VPSRLD, 3)
	ADDQ $176, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  q5Kblock
	VZEROUPPER
	RET

// func q6K(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q6K(SB), NOSPLIT, $192-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(0x0f0f0f0f, X15, Y15)
	MASK(0x30303030, X14, Y14)
	MASK(0x20202020, X13, Y13)

q6Kblock:
	AHEAD(q6Kunpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

q6Kunpack:
	SCALE(208(SI), X0, Y0)
	VPMOVSXBD 192(SI), Y1
	VPMOVSXBD 200(SI), Y2
	VCVTDQ2PS Y1, Y1
	VCVTDQ2PS Y2, Y2
	VMULPS Y1, Y0, Y1
	VMULPS Y2, Y0, Y2
	VMOVUPS Y1, 0(SP)
	VMOVUPS Y2, 32(SP)
	HALF6K(0)
	HALF6K(1)
	ADDQ $210, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  q6Kblock
	VZEROUPPER
	RET
