#include "textflag.h"
#include "kernels_amd64.h"

// Kernels of types whose codes are indexes of a grid, which R8 points to: eight
// coordinates of a byte each. See kernels_amd64.s.

// What IQ1_M adds to a point: 1/8 where bit 3 is clear, -1/8 where it is set.
DATA shifts<>+0(SB)/4, $0x3e000000
DATA shifts<>+4(SB)/4, $0x3e000000
DATA shifts<>+8(SB)/4, $0x3e000000
DATA shifts<>+12(SB)/4, $0x3e000000
DATA shifts<>+16(SB)/4, $0x3e000000
DATA shifts<>+20(SB)/4, $0x3e000000
DATA shifts<>+24(SB)/4, $0x3e000000
DATA shifts<>+28(SB)/4, $0x3e000000
DATA shifts<>+32(SB)/4, $0xbe000000
DATA shifts<>+36(SB)/4, $0xbe000000
DATA shifts<>+40(SB)/4, $0xbe000000
DATA shifts<>+44(SB)/4, $0xbe000000
DATA shifts<>+48(SB)/4, $0xbe000000
DATA shifts<>+52(SB)/4, $0xbe000000
DATA shifts<>+56(SB)/4, $0xbe000000
DATA shifts<>+60(SB)/4, $0xbe000000
GLOBL shifts<>(SB), RODATA|NOPTR, $64

// Which word of the scales of IQ1_M eight sub-blocks look at, and at which bit.
DATA words<>+0(SB)/4, $0
DATA words<>+4(SB)/4, $0
DATA words<>+8(SB)/4, $0
DATA words<>+12(SB)/4, $0
DATA words<>+16(SB)/4, $1
DATA words<>+20(SB)/4, $1
DATA words<>+24(SB)/4, $1
DATA words<>+28(SB)/4, $1
GLOBL words<>(SB), RODATA|NOPTR, $32

DATA places<>+0(SB)/4, $0
DATA places<>+4(SB)/4, $3
DATA places<>+8(SB)/4, $6
DATA places<>+12(SB)/4, $9
DATA places<>+16(SB)/4, $0
DATA places<>+20(SB)/4, $3
DATA places<>+24(SB)/4, $6
DATA places<>+28(SB)/4, $9
GLOBL places<>(SB), RODATA|NOPTR, $32

// SCALES1 makes (2s+1)*d of eight scales at bits 1 to 3 and leaves them at to(SP).
#define SCALES1(y, to) \
	VPAND Y15, y, y; \
	VPOR Y14, y, y; \
	VCVTDQ2PS y, y; \
	VMULPS y, Y0, y; \
	VMOVUPS y, to(SP)

// POINT1S writes eight elements: index from(SI), with the bits of R9 that the
// shift brings to bits 8 to 10; shift Y4, scale Y3.
#define POINT1S(from, shift, n, to) \
	MOVL R9, AX; \
	shift $n, AX; \
	MOVBLZX (from)(SI), BX; \
	ANDL $0x700, AX; \
	ORL BX, AX; \
	VPMOVSXBD (R8)(AX*8), Y5; \
	VCVTDQ2PS Y5, Y5; \
	VADDPS Y4, Y5, Y5; \
	VMULPS Y3, Y5, Y5; \
	VMOVUPS Y5, (to)(DI)

#define SUB1S(i) \
	VBROADCASTSS (4*i)(SP), Y3; \
	VBROADCASTSS (4*i+32)(SP), Y4; \
	MOVWLZX (34+2*i)(SI), R9; \
	POINT1S(2+4*i, SHLL, 8, 128*i); \
	POINT1S(3+4*i, SHLL, 5, 128*i+32); \
	POINT1S(4+4*i, SHLL, 2, 128*i+64); \
	POINT1S(5+4*i, SHRL, 1, 128*i+96)

// func iq1s(dst *float32, src *byte, blocks int, ahead int, grid *[8]int8)
TEXT ·iq1s(SB), NOSPLIT, $64-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ grid+32(FP), R8
	MASK(14, X15, Y15)
	MASK(1, X14, Y14)
	MASK(0x80000000, X13, Y13)
	VMOVUPS shifts<>(SB), Y12

iq1sblock:
	AHEAD(iq1sunpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

iq1sunpack:
	SCALE(0(SI), X0, Y0)
	VPMOVZXWD 34(SI), Y1
	VPSRLD $11, Y1, Y2
	SCALES1(Y2, 0)
	VPSLLD $16, Y1, Y1
	VPAND Y13, Y1, Y1
	VXORPS Y12, Y1, Y1
	VMOVUPS Y1, 32(SP)
	SUB1S(0)
	SUB1S(1)
	SUB1S(2)
	SUB1S(3)
	SUB1S(4)
	SUB1S(5)
	SUB1S(6)
	SUB1S(7)
	ADDQ $50, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  iq1sblock
	VZEROUPPER
	RET

// POINT1M writes eight elements: index from(SI), with bits 0 to 2 of R9 above,
// and bit 3 the sign of the shift; scale Y3.
#define POINT1M(from, to) \
	MOVL R9, AX; \
	MOVL R9, DX; \
	MOVBLZX (from)(SI), BX; \
	ANDL $7, AX; \
	ANDL $8, DX; \
	SHLL $8, AX; \
	ORL BX, AX; \
	VPMOVSXBD (R8)(AX*8), Y5; \
	VCVTDQ2PS Y5, Y5; \
	VADDPS (R10)(DX*4), Y5, Y5; \
	VMULPS Y3, Y5, Y5; \
	VMOVUPS Y5, (to)(DI)

#define PAIR1M(p) \
	VBROADCASTSS (4*(p))(SP), Y3; \
	MOVBLZX (32+p)(SI), R9; \
	POINT1M(2*(p), 64*(p)); \
	SHRL $4, R9; \
	POINT1M(2*(p)+1, 64*(p)+32)

#define PAIRS1M(p) \
	PAIR1M(p); \
	PAIR1M(p+1); \
	PAIR1M(p+2); \
	PAIR1M(p+3)

// func iq1m(dst *float32, src *byte, blocks int, ahead int, grid *[8]int8)
TEXT ·iq1m(SB), NOSPLIT, $64-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ grid+32(FP), R8
	LEAQ shifts<>(SB), R10
	MASK(14, X15, Y15)
	MASK(1, X14, Y14)
	VMOVDQU places<>(SB), Y13
	VMOVDQU words<>(SB), Y12
	VPADDD Y14, Y12, Y11
	VPADDD Y14, Y11, Y11

iq1mblock:
	AHEAD(iq1munpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

iq1munpack:
	// d is the highest four bits of four words, the first lowest.
	MOVQ 48(SI), AX
	MOVQ AX, BX
	SHRQ $12, BX
	ANDL $0x000f, BX
	MOVQ AX, DX
	SHRQ $24, DX
	ANDL $0x00f0, DX
	ORL DX, BX
	MOVQ AX, DX
	SHRQ $36, DX
	ANDL $0x0f00, DX
	ORL DX, BX
	SHRQ $48, AX
	ANDL $0xf000, AX
	ORL AX, BX
	VMOVD BX, X0
	VPBROADCASTW X0, X0
	VCVTPH2PS X0, Y0
	VPMOVZXWD 48(SI), X1
	VPERMD Y1, Y12, Y2
	VPERMD Y1, Y11, Y3
	VPSRLVD Y13, Y2, Y2
	VPSRLVD Y13, Y3, Y3
	VPSLLD $1, Y2, Y2
	VPSLLD $1, Y3, Y3
	SCALES1(Y2, 0)
	SCALES1(Y3, 32)
	PAIRS1M(0)
	PAIRS1M(4)
	PAIRS1M(8)
	PAIRS1M(12)
	ADDQ $56, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  iq1mblock
	VZEROUPPER
	RET

// POINT2XXS writes eight elements: index from(SI), the code of their signs at
// bit n of R9, scale Y3. R10 points to 128 times eight signs.
#define POINT2XXS(from, n, to) \
	MOVL R9, BX; \
	MOVBLZX (from)(SI), AX; \
	SHRL $n, BX; \
	ANDL $127, BX; \
	SHLL $5, BX; \
	VPMOVSXBD (R8)(AX*8), Y5; \
	VCVTDQ2PS Y5, Y5; \
	VMULPS Y3, Y5, Y5; \
	VXORPS (R10)(BX*1), Y5, Y5; \
	VMOVUPS Y5, (to)(DI)

// SUB2XXS writes 32 elements with the scale at place(SP).
#define SUB2XXS(i, place) \
	VBROADCASTSS place(SP), Y3; \
	MOVL (6+8*i)(SI), R9; \
	POINT2XXS(2+8*i, 0, 128*i); \
	POINT2XXS(3+8*i, 7, 128*i+32); \
	POINT2XXS(4+8*i, 14, 128*i+64); \
	POINT2XXS(5+8*i, 21, 128*i+96)

// func iq2xxs(dst *float32, src *byte, blocks int, ahead int, grid *[8]int8, signs *[8]uint32)
TEXT ·iq2xxs(SB), NOSPLIT, $32-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ grid+32(FP), R8
	MOVQ signs+40(FP), R10
	MASK(0x3f000000, X15, Y15) // 1/2
	MASK(0x3e800000, X14, Y14) // 1/4

iq2xxsblock:
	AHEAD(iq2xxsunpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

iq2xxsunpack:
	SCALE(0(SI), X0, Y0)

	// Every other word has a scale; they come in the order 0, 1, 4, 5, 2, 3, 6, 7.
	VMOVUPS 2(SI), Y1
	VMOVUPS 34(SI), Y2
	VSHUFPS $0xdd, Y2, Y1, Y3
	VPSRLD $28, Y3, Y3
	VCVTDQ2PS Y3, Y3
	VADDPS Y3, Y15, Y3
	VMULPS Y3, Y0, Y3
	VMULPS Y14, Y3, Y3
	VMOVUPS Y3, 0(SP)
	SUB2XXS(0, 0)
	SUB2XXS(1, 4)
	SUB2XXS(2, 16)
	SUB2XXS(3, 20)
	SUB2XXS(4, 8)
	SUB2XXS(5, 12)
	SUB2XXS(6, 24)
	SUB2XXS(7, 28)
	ADDQ $66, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  iq2xxsblock
	VZEROUPPER
	RET
