#include "textflag.h"
#include "kernels_amd64.h"

// Kernels of types with codes of two bits, or of three: a code is an index of a
// table in a register, which has every product that its scale can give. See
// kernels_amd64.s.

// The codes of a ternary type, less one, and those of Q2_K, twice.
DATA ternary<>+0(SB)/4, $0xbf800000
DATA ternary<>+4(SB)/4, $0x00000000
DATA ternary<>+8(SB)/4, $0x3f800000
DATA ternary<>+12(SB)/4, $0x40000000
DATA ternary<>+16(SB)/4, $0xbf800000
DATA ternary<>+20(SB)/4, $0x00000000
DATA ternary<>+24(SB)/4, $0x3f800000
DATA ternary<>+28(SB)/4, $0x40000000
GLOBL ternary<>(SB), RODATA|NOPTR, $32

DATA quarters<>+0(SB)/4, $0x00000000
DATA quarters<>+4(SB)/4, $0x3f800000
DATA quarters<>+8(SB)/4, $0x40000000
DATA quarters<>+12(SB)/4, $0x40400000
DATA quarters<>+16(SB)/4, $0x00000000
DATA quarters<>+20(SB)/4, $0x3f800000
DATA quarters<>+24(SB)/4, $0x40000000
DATA quarters<>+28(SB)/4, $0x40400000
GLOBL quarters<>(SB), RODATA|NOPTR, $32

// The codes of Q3_K, less four.
DATA eighths<>+0(SB)/4, $0xc0800000
DATA eighths<>+4(SB)/4, $0xc0400000
DATA eighths<>+8(SB)/4, $0xc0000000
DATA eighths<>+12(SB)/4, $0xbf800000
DATA eighths<>+16(SB)/4, $0x00000000
DATA eighths<>+20(SB)/4, $0x3f800000
DATA eighths<>+24(SB)/4, $0x40000000
DATA eighths<>+28(SB)/4, $0x40400000
GLOBL eighths<>(SB), RODATA|NOPTR, $32

// TWOS writes the four elements of each of 16 bytes, 32 apart, by table Y0, line
// by line. The instruction looks at the lowest two bits of an index alone.
#define TWOS(from, to) \
	VPMOVZXBD (from)(SI), Y1; \
	VPMOVZXBD (from+8)(SI), Y2; \
	PAIR2(to); \
	NEXT2(to+128); \
	NEXT2(to+256); \
	NEXT2(to+384)

#define PAIR2(to) \
	VPERMILPS Y1, Y0, Y3; \
	VPERMILPS Y2, Y0, Y4; \
	VMOVUPS Y3, (to)(DI); \
	VMOVUPS Y4, (to+32)(DI)

#define NEXT2(to) \
	VPSRLD $2, Y1, Y1; \
	VPSRLD $2, Y2, Y2; \
	PAIR2(to)

// func tq2_0(dst *float32, src *byte, blocks int, ahead int)
TEXT ·tq2_0(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	VMOVUPS ternary<>(SB), Y15

tq2_0block:
	AHEAD(tq2_0unpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

tq2_0unpack:
	SCALE(64(SI), X0, Y0)
	VMULPS Y0, Y15, Y0
	TWOS(0, 0)
	TWOS(16, 64)
	TWOS(32, 512)
	TWOS(48, 576)
	ADDQ $66, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  tq2_0block
	VZEROUPPER
	RET

// TRIT multiplies the fractions of 256 in x by three, writes what goes beyond as
// an element by table d, and keeps the rest: the power of three of the Go twin,
// one factor at a time.
#define TRIT(x, y, mask, d, to) \
	VPADDD x, x, y; \
	VPADDD y, x, x; \
	VPSRLD $8, x, y; \
	VPAND mask, x, x; \
	VPERMILPS y, d, y; \
	VMOVUPS y, (to)(DI)

// TRITS writes five elements of each of eight bytes, step bytes apart.
#define TRITS(from, to, step) \
	VPMOVZXBD from(SI), Y1; \
	TRIT(Y1, Y2, Y14, Y0, to); \
	TRIT(Y1, Y2, Y14, Y0, to+step); \
	TRIT(Y1, Y2, Y14, Y0, to+2*step); \
	TRIT(Y1, Y2, Y14, Y0, to+3*step); \
	TRIT(Y1, Y2, Y14, Y0, to+4*step)

// func tq1_0(dst *float32, src *byte, blocks int, ahead int)
TEXT ·tq1_0(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	VMOVUPS ternary<>(SB), Y15
	MASK(255, X14, Y14)

tq1_0block:
	AHEAD(tq1_0unpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

tq1_0unpack:
	SCALE(52(SI), X0, Y0)
	VMULPS Y0, Y15, Y0
	TRITS(0, 0, 128)
	TRITS(8, 32, 128)
	TRITS(16, 64, 128)
	TRITS(24, 96, 128)
	TRITS(32, 640, 64)
	TRITS(40, 672, 64)
	VPMOVZXBD 48(SI), X1
	TRIT(X1, X2, X14, X0, 960)
	TRIT(X1, X2, X14, X0, 976)
	TRIT(X1, X2, X14, X0, 992)
	TRIT(X1, X2, X14, X0, 1008)
	ADDQ $54, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  tq1_0block
	VZEROUPPER
	RET

// SUB2K writes the 16 elements of sub-block i by the codes in Y6 and Y7.
#define SUB2K(i, to) \
	VBROADCASTSS (4*(i))(SP), Y8; \
	VBROADCASTSS (4*(i)+64)(SP), Y9; \
	VMULPS Y14, Y8, Y8; \
	VSUBPS Y9, Y8, Y8; \
	VPERMILPS Y6, Y8, Y10; \
	VPERMILPS Y7, Y8, Y11; \
	VMOVUPS Y10, (to)(DI); \
	VMOVUPS Y11, (to+32)(DI)

#define NEXT2K \
	VPSRLD $2, Y6, Y6; \
	VPSRLD $2, Y7, Y7

// COLUMN2K writes the elements of 16 bytes: one of each two sub-blocks of half h.
#define COLUMN2K(h, p) \
	VPMOVZXBD (16+32*h+16*p)(SI), Y6; \
	VPMOVZXBD (24+32*h+16*p)(SI), Y7; \
	SUB2K(8*h+p, 512*h+64*p); \
	NEXT2K; \
	SUB2K(8*h+p+2, 512*h+64*p+128); \
	NEXT2K; \
	SUB2K(8*h+p+4, 512*h+64*p+256); \
	NEXT2K; \
	SUB2K(8*h+p+6, 512*h+64*p+384)

// func q2K(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q2K(SB), NOSPLIT, $128-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MASK(15, X15, Y15)
	VMOVUPS quarters<>(SB), Y14

q2Kblock:
	AHEAD(q2Kunpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

q2Kunpack:
	SCALE(80(SI), X0, Y0)
	SCALE(82(SI), X1, Y1)
	VPMOVZXBD 0(SI), Y2
	VPMOVZXBD 8(SI), Y3
	VPSRLD $4, Y2, Y4
	VPSRLD $4, Y3, Y5
	VPAND Y15, Y2, Y2
	VPAND Y15, Y3, Y3
	VCVTDQ2PS Y2, Y2
	VCVTDQ2PS Y3, Y3
	VCVTDQ2PS Y4, Y4
	VCVTDQ2PS Y5, Y5
	VMULPS Y2, Y0, Y2
	VMULPS Y3, Y0, Y3
	VMULPS Y4, Y1, Y4
	VMULPS Y5, Y1, Y5
	VMOVUPS Y2, 0(SP)
	VMOVUPS Y3, 32(SP)
	VMOVUPS Y4, 64(SP)
	VMOVUPS Y5, 96(SP)
	COLUMN2K(0, 0)
	COLUMN2K(0, 1)
	COLUMN2K(1, 0)
	COLUMN2K(1, 1)
	ADDQ $84, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  q2Kblock
	VZEROUPPER
	RET

// CODES3K leaves 32 codes on the stack: two bits of Y6 and, as the third, the bit
// of Y7 that the shift brings to bit 2.
#define CODES3K(nlow, shift, nhigh, to) \
	VPSRLW $nlow, Y6, Y8; \
	shift $nhigh, Y7, Y9; \
	VPAND Y13, Y8, Y8; \
	VPAND Y12, Y9, Y9; \
	VPOR Y9, Y8, Y8; \
	VMOVDQU Y8, to(SP)

// SUB3K writes the 16 elements of sub-block i by codes on the stack.
#define SUB3K(i, codes, to) \
	VBROADCASTSS (4*(i))(SP), Y8; \
	VMULPS Y14, Y8, Y8; \
	VPMOVZXBD (codes)(SP), Y9; \
	VPMOVZXBD (codes+8)(SP), Y10; \
	VPERMPS Y8, Y9, Y9; \
	VPERMPS Y8, Y10, Y10; \
	VMOVUPS Y9, (to)(DI); \
	VMOVUPS Y10, (to+32)(DI)

#define SUBS3K(h) \
	SUB3K(8*h, 64, 512*h); \
	SUB3K(8*h+1, 80, 512*h+64); \
	SUB3K(8*h+2, 96, 512*h+128); \
	SUB3K(8*h+3, 112, 512*h+192); \
	SUB3K(8*h+4, 128, 512*h+256); \
	SUB3K(8*h+5, 144, 512*h+320); \
	SUB3K(8*h+6, 160, 512*h+384); \
	SUB3K(8*h+7, 176, 512*h+448)

// func q3K(dst *float32, src *byte, blocks int, ahead int)
TEXT ·q3K(SB), NOSPLIT, $192-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	VMOVUPS eighths<>(SB), Y14
	MASK(0x03030303, X13, Y13)
	MASK(0x04040404, X12, Y12)
	MASK(32, X11, Y11)
	MOVQ $0x0f0f0f0f0f0f0f0f, R8
	MOVL $0x03030303, R9

q3Kblock:
	AHEAD(q3Kunpack)
	PREFETCHW4(2048)
	PREFETCHW4(2304)
	PREFETCHW4(2560)
	PREFETCHW4(2816)

q3Kunpack:
	SCALE(108(SI), X0, Y0)

	// The low four bits of scales 0 to 7 and 8 to 15, then their high two.
	MOVQ 96(SI), AX
	MOVL 104(SI), DX
	MOVQ AX, BX
	SHRQ $4, BX
	ANDQ R8, AX
	ANDQ R8, BX
	MOVL DX, R10
	MOVL DX, R11
	SHRL $2, R11
	ANDL R9, R10
	ANDL R9, R11
	SHLQ $32, R11
	ORQ R11, R10
	SHLQ $4, R10
	ORQ R10, AX
	SHRL $4, DX
	MOVL DX, R11
	SHRL $2, R11
	ANDL R9, DX
	ANDL R9, R11
	SHLQ $32, R11
	ORQ R11, DX
	SHLQ $4, DX
	ORQ DX, BX
	VMOVQ AX, X2
	VMOVQ BX, X3
	VPMOVZXBD X2, Y2
	VPMOVZXBD X3, Y3
	VPSUBD Y11, Y2, Y2
	VPSUBD Y11, Y3, Y3
	VCVTDQ2PS Y2, Y2
	VCVTDQ2PS Y3, Y3
	VMULPS Y2, Y0, Y2
	VMULPS Y3, Y0, Y3
	VMOVUPS Y2, 0(SP)
	VMOVUPS Y3, 32(SP)

	VMOVDQU 0(SI), Y7
	VMOVDQU 32(SI), Y6
	CODES3K(0, VPSLLW, 2, 64)
	CODES3K(2, VPSLLW, 1, 96)
	CODES3K(4, VPSRLW, 0, 128)
	CODES3K(6, VPSRLW, 1, 160)
	SUBS3K(0)
	VMOVDQU 64(SI), Y6
	CODES3K(0, VPSRLW, 2, 64)
	CODES3K(2, VPSRLW, 3, 96)
	CODES3K(4, VPSRLW, 4, 128)
	CODES3K(6, VPSRLW, 5, 160)
	SUBS3K(1)
	ADDQ $110, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  q3Kblock
	VZEROUPPER
	RET
