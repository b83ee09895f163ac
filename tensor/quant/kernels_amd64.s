#include "textflag.h"
#include "kernels_amd64.h"

// Kernels of unpack_amd64.go. Each does the float32 operations of its Go twin in
// the same order on eight elements at a time, so the bits are the same.
//
// DI destination, SI blocks, CX number of blocks, of which there is one at least.

// SIGNED writes eight elements of i8 codes: q*Y0.
#define SIGNED(from, y, to) \
	VPMOVSXBD from, y; \
	VCVTDQ2PS y, y; \
	VMULPS Y0, y, y; \
	VMOVUPS y, to

// func q8_0(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q8_0(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX

q8_0block:
	AHEAD(q8_0unpack)
	PREFETCHW(2048)
	PREFETCHW(2112)

q8_0unpack:
	SCALE(0(SI), X0, Y0)
	SIGNED(2(SI), Y1, 0(DI))
	SIGNED(10(SI), Y2, 32(DI))
	SIGNED(18(SI), Y3, 64(DI))
	SIGNED(26(SI), Y4, 96(DI))
	ADDQ $34, SI
	ADDQ $128, DI
	DECQ CX
	JNZ  q8_0block
	VZEROUPPER
	RET

// EIGHTHS writes the low and the high halves of eight bytes, minus eight: Q4_0.
#define EIGHTHS(from, low, high) \
	VPMOVZXBD from, Y1; \
	VPSRLD $4, Y1, Y2; \
	VPAND Y15, Y1, Y1; \
	VPSUBD Y14, Y1, Y1; \
	VPSUBD Y14, Y2, Y2; \
	VCVTDQ2PS Y1, Y1; \
	VCVTDQ2PS Y2, Y2; \
	VMULPS Y0, Y1, Y1; \
	VMULPS Y0, Y2, Y2; \
	VMOVUPS Y1, low; \
	VMOVUPS Y2, high

// func q4_0(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q4_0(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(15, X15, Y15)
	MASK(8, X14, Y14)

q4_0block:
	AHEAD(q4_0unpack)
	PREFETCHW(2048)
	PREFETCHW(2112)

q4_0unpack:
	SCALE(0(SI), X0, Y0)
	EIGHTHS(2(SI), 0(DI), 64(DI))
	EIGHTHS(10(SI), 32(DI), 96(DI))
	ADDQ $18, SI
	ADDQ $128, DI
	DECQ CX
	JNZ  q4_0block
	VZEROUPPER
	RET

// Bits 0 to 7, as in the u32 of Q5_0.
DATA bits8<>+0(SB)/4, $1
DATA bits8<>+4(SB)/4, $2
DATA bits8<>+8(SB)/4, $4
DATA bits8<>+12(SB)/4, $8
DATA bits8<>+16(SB)/4, $16
DATA bits8<>+20(SB)/4, $32
DATA bits8<>+24(SB)/4, $64
DATA bits8<>+28(SB)/4, $128
GLOBL bits8<>(SB), RODATA|NOPTR, $32

// FIFTH subtracts 16 from the codes q where their bit in Y3 is clear, which is
// what a fifth bit less does to q-16, and writes the elements.
#define FIFTH(q, bits, to) \
	VPAND bits, Y3, Y4; \
	VPCMPEQD Y13, Y4, Y4; \
	VPAND Y14, Y4, Y4; \
	VPOR Y4, q, q; \
	VCVTDQ2PS q, q; \
	VMULPS Y0, q, q; \
	VMOVUPS q, to

// func q5_0(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q5_0(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(15, X15, Y15)
	MASK(-16, X14, Y14)
	VPXOR Y13, Y13, Y13
	VMOVDQU bits8<>(SB), Y12
	VPSLLD $8, Y12, Y11
	VPSLLD $16, Y12, Y10
	VPSLLD $24, Y12, Y9

q5_0block:
	AHEAD(q5_0unpack)
	PREFETCHW(2048)
	PREFETCHW(2112)

q5_0unpack:
	SCALE(0(SI), X0, Y0)
	VPBROADCASTD 2(SI), Y3
	VPMOVZXBD 6(SI), Y1
	VPSRLD $4, Y1, Y2
	VPAND Y15, Y1, Y1
	FIFTH(Y1, Y12, 0(DI))
	FIFTH(Y2, Y10, 64(DI))
	VPMOVZXBD 14(SI), Y1
	VPSRLD $4, Y1, Y2
	VPAND Y15, Y1, Y1
	FIFTH(Y1, Y11, 32(DI))
	FIFTH(Y2, Y9, 96(DI))
	ADDQ $22, SI
	ADDQ $128, DI
	DECQ CX
	JNZ  q5_0block
	VZEROUPPER
	RET

// FIFTH1 adds 16 to the codes q where their bit in Y3 is set, and writes q*d+m.
#define FIFTH1(q, bits, to) \
	VPAND bits, Y3, Y4; \
	VPCMPEQD bits, Y4, Y4; \
	VPAND Y14, Y4, Y4; \
	VPOR Y4, q, q; \
	VCVTDQ2PS q, q; \
	VMULPS Y0, q, q; \
	VADDPS Y5, q, q; \
	VMOVUPS q, to

// func q5_1(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q5_1(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(15, X15, Y15)
	MASK(16, X14, Y14)
	VMOVDQU bits8<>(SB), Y12
	VPSLLD $8, Y12, Y11
	VPSLLD $16, Y12, Y10
	VPSLLD $24, Y12, Y9

q5_1block:
	AHEAD(q5_1unpack)
	PREFETCHW(2048)
	PREFETCHW(2112)

q5_1unpack:
	SCALE(0(SI), X0, Y0)
	SCALE(2(SI), X5, Y5)
	VPBROADCASTD 4(SI), Y3
	VPMOVZXBD 8(SI), Y1
	VPSRLD $4, Y1, Y2
	VPAND Y15, Y1, Y1
	FIFTH1(Y1, Y12, 0(DI))
	FIFTH1(Y2, Y10, 64(DI))
	VPMOVZXBD 16(SI), Y1
	VPSRLD $4, Y1, Y2
	VPAND Y15, Y1, Y1
	FIFTH1(Y1, Y11, 32(DI))
	FIFTH1(Y2, Y9, 96(DI))
	ADDQ $24, SI
	ADDQ $128, DI
	DECQ CX
	JNZ  q5_1block
	VZEROUPPER
	RET

// NIBBLES writes the low and the high halves of eight bytes: q*d+m, Q4_1.
#define NIBBLES(from, low, high) \
	VPMOVZXBD from, Y2; \
	VPSRLD $4, Y2, Y3; \
	VPAND Y15, Y2, Y2; \
	VCVTDQ2PS Y2, Y2; \
	VCVTDQ2PS Y3, Y3; \
	VMULPS Y0, Y2, Y2; \
	VMULPS Y0, Y3, Y3; \
	VADDPS Y1, Y2, Y2; \
	VADDPS Y1, Y3, Y3; \
	VMOVUPS Y2, low; \
	VMOVUPS Y3, high

// func q4_1(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q4_1(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(15, X15, Y15)

q4_1block:
	AHEAD(q4_1unpack)
	PREFETCHW(2048)
	PREFETCHW(2112)

q4_1unpack:
	SCALE(0(SI), X0, Y0)
	SCALE(2(SI), X1, Y1)
	NIBBLES(4(SI), 0(DI), 64(DI))
	NIBBLES(12(SI), 32(DI), 96(DI))
	ADDQ $20, SI
	ADDQ $128, DI
	DECQ CX
	JNZ  q4_1block
	VZEROUPPER
	RET
