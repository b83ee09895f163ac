#include "textflag.h"

// Which scale each eighth of a group has, and how eight scales become pairs.
DATA halves<>+0(SB)/8, $0
DATA halves<>+8(SB)/8, $0
DATA halves<>+16(SB)/8, $0x0000000100000001
DATA halves<>+24(SB)/8, $0x0000000100000001
GLOBL halves<>(SB), RODATA|NOPTR, $32
DATA pairs<>+0(SB)/8, $0x0000000000000000
DATA pairs<>+8(SB)/8, $0x0000000100000001
DATA pairs<>+16(SB)/8, $0x0000000200000002
DATA pairs<>+24(SB)/8, $0x0000000300000003
DATA pairs<>+32(SB)/8, $0x0000000400000004
DATA pairs<>+40(SB)/8, $0x0000000500000005
DATA pairs<>+48(SB)/8, $0x0000000600000006
DATA pairs<>+56(SB)/8, $0x0000000700000007
GLOBL pairs<>(SB), RODATA|NOPTR, $64

// Where the bit of each code of Q5_0 is: the byte, and the bit in it.
DATA bytes<>+0(SB)/8, $0x0000000000000000
DATA bytes<>+8(SB)/8, $0x0101010101010101
DATA bytes<>+16(SB)/8, $0x0202020202020202
DATA bytes<>+24(SB)/8, $0x0303030303030303
GLOBL bytes<>(SB), RODATA|NOPTR, $32
DATA bits<>+0(SB)/8, $0x8040201008040201
GLOBL bits<>(SB), RODATA|NOPTR, $8

// PRODUCTS makes integers in Y5 of codes in Y2 and those of a vector in Y3: of
// magnitudes of the first, which are at most 128, and the second with their signs.
// A sum of two fits 16 bits, since the second are at most 127.
#define PRODUCTS             \
	VPABSB     Y2, Y4;       \
	VPSIGNB    Y2, Y3, Y3;   \
	VPMADDUBSW Y3, Y4, Y5;   \
	VPMADDWD   Y15, Y5, Y5

#define PRODUCTSVNNI       \
	VPABSB   Y2, Y4;       \
	VPSIGNB  Y2, Y3, Y3;   \
	VPXOR    Y5, Y5, Y5;   \
	VPDPBUSD Y3, Y4, Y5

// GROUP adds the products of group i of those at hand to sum.
#define GROUP(i, products, sum)         \
	VMOVDQU      (32*i)(SI), Y2;        \
	VMOVDQU      (32*i)(DX), Y3;        \
	products;                           \
	VCVTDQ2PS    Y5, Y5;                \
	VBROADCASTSD (8*i)(R8), Y6;         \
	VPERMPS      Y6, Y14, Y6;           \
	VBROADCASTSS (4*i)(R9), Y7;         \
	VMULPS       Y7, Y6, Y6;            \
	VMULPS       Y6, Y5, Y5;            \
	VADDPS       Y5, sum, sum

#define DOT(products, loop, last, sum)  \
	MOVQ         groups+0(FP), CX;      \
	MOVQ         codes+8(FP), SI;       \
	MOVQ         scales+16(FP), R8;     \
	MOVQ         x+24(FP), DX;          \
	MOVQ         xScales+32(FP), R9;    \
	MOVQ         y+40(FP), DI;          \
	VPCMPEQW     Y15, Y15, Y15;         \
	VPSRLW       $15, Y15, Y15;         \
	VMOVDQU      halves<>(SB), Y14;     \
	VXORPS       Y0, Y0, Y0;            \
	VXORPS       Y1, Y1, Y1;            \
	SUBQ         $2, CX;                \
	JLT          last;                  \
loop:                                   \
	GROUP(0, products, Y0);             \
	GROUP(1, products, Y1);             \
	ADDQ         $64, SI;               \
	ADDQ         $64, DX;               \
	ADDQ         $16, R8;               \
	ADDQ         $8, R9;                \
	SUBQ         $2, CX;                \
	JGE          loop;                  \
last:                                   \
	ADDQ         $2, CX;                \
	JZ           sum;                   \
	GROUP(0, products, Y0);             \
sum:                                    \
	VADDPS       Y1, Y0, Y0;            \
	VEXTRACTF128 $1, Y0, X1;            \
	VADDPS       X1, X0, X0;            \
	VPERMILPS    $0x4e, X0, X1;         \
	VADDPS       X1, X0, X0;            \
	VPERMILPS    $0xb1, X0, X1;         \
	VADDPS       X1, X0, X0;            \
	VMOVSS       X0, (DI);              \
	VZEROUPPER;                         \
	RET

// BEGIN takes the arguments of a coder.
#define BEGIN                     \
	MOVQ blocks+0(FP), CX;        \
	MOVQ src+8(FP), SI;           \
	MOVQ codes+16(FP), DI;        \
	MOVQ scales+24(FP), R8;       \
	MOVQ mins+32(FP), R9

// func dotAVX2(groups int, codes *int8, scales *float32, x *int8, xScales, y *float32)
TEXT ·dotAVX2(SB), NOSPLIT, $0-48
	DOT(PRODUCTS, loopA, lastA, sumA)

// func dotVNNI(groups int, codes *int8, scales *float32, x *int8, xScales, y *float32)
TEXT ·dotVNNI(SB), NOSPLIT, $0-48
	DOT(PRODUCTSVNNI, loopV, lastV, sumV)

// BYTES fills a register.
#define BYTES(value, x, y)      \
	MOVL         $value, AX;    \
	VMOVD        AX, x;         \
	VPBROADCASTB x, y

// ONESCALE writes the scale of a block of 32 elements, at its beginning.
#define ONESCALE             \
	MOVWLZX   (SI), AX;      \
	VMOVD     AX, X0;        \
	VCVTPH2PS X0, X0;        \
	VMOVSS    X0, (R8);      \
	VMOVSS    X0, 4(R8);     \
	ADDQ      $8, R8

// NIBBLES loads sixteen bytes: low halves to the low half of Y1, high ones to the
// high half.
#define NIBBLES(at)                  \
	VMOVDQU     at(SI), X1;          \
	VPSRLW      $4, X1, X2;          \
	VINSERTI128 $1, X2, Y1, Y1;      \
	VPAND       Y15, Y1, Y1

// func codesQ4_0(blocks int, src *byte, codes *int8, scales, mins *float32)
TEXT ·codesQ4_0(SB), NOSPLIT, $0-40
	BEGIN
	BYTES(15, X15, Y15)
	BYTES(8, X14, Y14)

blockQ4_0:
	ONESCALE
	NIBBLES(2)
	VPSUBB  Y14, Y1, Y1
	VMOVDQU Y1, (DI)
	ADDQ    $18, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     blockQ4_0
	VZEROUPPER
	RET

// func codesQ5_0(blocks int, src *byte, codes *int8, scales, mins *float32)
TEXT ·codesQ5_0(SB), NOSPLIT, $0-40
	BEGIN
	BYTES(15, X15, Y15)
	BYTES(0xf0, X14, Y14)
	VMOVDQU      bytes<>(SB), Y13
	VPBROADCASTQ bits<>(SB), Y12

blockQ5_0:
	ONESCALE
	NIBBLES(6)
	VPBROADCASTD 2(SI), Y3
	VPSHUFB      Y13, Y3, Y3
	VPAND        Y12, Y3, Y3
	VPCMPEQB     Y12, Y3, Y3  // ones where the bit is set
	VPANDN       Y14, Y3, Y3  // -16 where it is not
	VPOR         Y3, Y1, Y1
	VMOVDQU      Y1, (DI)
	ADDQ         $22, SI
	ADDQ         $32, DI
	DECQ         CX
	JNZ          blockQ5_0
	VZEROUPPER
	RET

// func codesQ8_0(blocks int, src *byte, codes *int8, scales, mins *float32)
TEXT ·codesQ8_0(SB), NOSPLIT, $0-40
	BEGIN

blockQ8_0:
	ONESCALE
	VMOVDQU 2(SI), Y1
	VMOVDQU Y1, (DI)
	ADDQ    $34, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     blockQ8_0
	VZEROUPPER
	RET

// EACHNIBBLE writes the codes of 32 bytes of Q4_K: 64 of them.
#define EACHNIBBLE(i)               \
	VMOVDQU (16+32*i)(SI), Y1;      \
	VPSRLW  $4, Y1, Y2;             \
	VPAND   Y15, Y1, Y1;            \
	VPAND   Y15, Y2, Y2;            \
	VMOVDQU Y1, (64*i)(DI);         \
	VMOVDQU Y2, (64*i+32)(DI)

// func codesQ4K(blocks int, src *byte, codes *int8, scales, mins *float32)
TEXT ·codesQ4K(SB), NOSPLIT, $0-40
	BEGIN
	BYTES(15, X15, Y15)
	VMOVDQU pairs<>(SB), Y14
	VMOVDQU pairs<>+32(SB), Y13

blockQ4K:
	MOVL         (SI), AX
	VMOVD        AX, X0
	VCVTPH2PS    X0, X0
	VPERMILPS    $0x55, X0, X3
	VBROADCASTSS X0, Y0       // d
	VBROADCASTSS X3, Y3       // dmin
	MOVL         4(SI), AX    // scales 0 to 3, and two bits of each of 4 to 7
	MOVL         8(SI), BX    // the same of minima
	MOVL         12(SI), DX   // four bits of scales and minima 4 to 7
	MOVL         DX, R10
	ANDL         $0x0f0f0f0f, R10
	MOVL         AX, R11
	SHRL         $2, R11
	ANDL         $0x30303030, R11
	ORL          R11, R10
	ANDL         $0x3f3f3f3f, AX
	SHLQ         $32, R10
	ORQ          R10, AX      // eight scales
	SHRL         $4, DX
	ANDL         $0x0f0f0f0f, DX
	MOVL         BX, R11
	SHRL         $2, R11
	ANDL         $0x30303030, R11
	ORL          R11, DX
	ANDL         $0x3f3f3f3f, BX
	SHLQ         $32, DX
	ORQ          DX, BX       // eight minima
	VMOVQ        AX, X1
	VMOVQ        BX, X2
	VPMOVZXBD    X1, Y1
	VPMOVZXBD    X2, Y2
	VCVTDQ2PS    Y1, Y1
	VCVTDQ2PS    Y2, Y2
	VMULPS       Y0, Y1, Y1
	VMULPS       Y3, Y2, Y2
	VMOVUPS      Y2, (R9)
	VPERMPS      Y1, Y14, Y2
	VPERMPS      Y1, Y13, Y3
	VMOVUPS      Y2, (R8)
	VMOVUPS      Y3, 32(R8)
	EACHNIBBLE(0)
	EACHNIBBLE(1)
	EACHNIBBLE(2)
	EACHNIBBLE(3)
	ADDQ         $144, SI
	ADDQ         $256, DI
	ADDQ         $64, R8
	ADDQ         $32, R9
	DECQ         CX
	JNZ          blockQ4K
	VZEROUPPER
	RET

// SIXBITS writes the codes whose low bits are in low and whose high ones in high,
// where they belong.
#define SIXBITS(low, high, at)  \
	VPAND   Y15, low, low;      \
	VPAND   Y14, high, high;    \
	VPOR    high, low, low;     \
	VPSUBB  Y13, low, low;      \
	VMOVDQU low, at(DI)

// HALFQ6K writes 128 codes.
#define HALFQ6K(h)                      \
	VMOVDQU (64*h)(SI), Y1;             \
	VMOVDQU (64*h+32)(SI), Y2;          \
	VMOVDQU (128+32*h)(SI), Y3;         \
	VPSRLW  $4, Y1, Y4;                 \
	VPSRLW  $4, Y2, Y5;                 \
	VPSLLW  $4, Y3, Y6;                 \
	VPSLLW  $2, Y3, Y7;                 \
	VPSRLW  $2, Y3, Y8;                 \
	SIXBITS(Y1, Y6, (128*h));           \
	SIXBITS(Y2, Y7, (128*h+32));        \
	SIXBITS(Y4, Y3, (128*h+64));        \
	SIXBITS(Y5, Y8, (128*h+96))

// func codesQ6K(blocks int, src *byte, codes *int8, scales, mins *float32)
TEXT ·codesQ6K(SB), NOSPLIT, $0-40
	BEGIN
	BYTES(15, X15, Y15)
	BYTES(0x30, X14, Y14)
	BYTES(32, X13, Y13)

blockQ6K:
	MOVWLZX      208(SI), AX
	VMOVD        AX, X0
	VCVTPH2PS    X0, X0
	VBROADCASTSS X0, Y0
	VPMOVSXBD    192(SI), Y1
	VPMOVSXBD    200(SI), Y2
	VCVTDQ2PS    Y1, Y1
	VCVTDQ2PS    Y2, Y2
	VMULPS       Y0, Y1, Y1
	VMULPS       Y0, Y2, Y2
	VMOVUPS      Y1, (R8)
	VMOVUPS      Y2, 32(R8)
	HALFQ6K(0)
	HALFQ6K(1)
	ADDQ         $210, SI
	ADDQ         $256, DI
	ADDQ         $64, R8
	DECQ         CX
	JNZ          blockQ6K
	VZEROUPPER
	RET
