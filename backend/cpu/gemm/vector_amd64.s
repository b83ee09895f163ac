#include "textflag.h"

// Products with a vector. Sums of dot products are in sixteen parts, whatever
// number of rows is done at a time; sums of axpy are in the order of the rows.

// Adds the sixteen parts of a sum, in x and y, into the first element of x, which
// is the low half of lo.
#define SUM(x, y, lo, t)          \
	VADDPS       y, x, x;         \
	VEXTRACTF128 $1, x, t;        \
	VADDPS       t, lo, lo;       \
	VPERMILPS    $0x4e, lo, t;    \
	VADDPS       t, lo, lo;       \
	VPERMILPS    $0xb1, lo, t;    \
	VADDPS       t, lo, lo

// func dot4(k int, a *float32, lda int, x, y *float32)
TEXT ·dot4(SB), NOSPLIT, $0-40
	MOVQ   k+0(FP), CX
	MOVQ   a+8(FP), SI
	MOVQ   lda+16(FP), R8
	MOVQ   x+24(FP), DX
	MOVQ   y+32(FP), DI
	LEAQ   (SI)(R8*4), R9
	LEAQ   (R9)(R8*4), R10
	LEAQ   (R10)(R8*4), R11
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	SUBQ   $16, CX
	JLT    sums4

loop4:
	VMOVUPS     (DX), Y8
	VMOVUPS     32(DX), Y9
	VFMADD231PS (SI), Y8, Y0
	VFMADD231PS 32(SI), Y9, Y1
	VFMADD231PS (R9), Y8, Y2
	VFMADD231PS 32(R9), Y9, Y3
	VFMADD231PS (R10), Y8, Y4
	VFMADD231PS 32(R10), Y9, Y5
	VFMADD231PS (R11), Y8, Y6
	VFMADD231PS 32(R11), Y9, Y7
	ADDQ        $64, DX
	ADDQ        $64, SI
	ADDQ        $64, R9
	ADDQ        $64, R10
	ADDQ        $64, R11
	SUBQ        $16, CX
	JGE         loop4

sums4:
	SUM(Y0, Y1, X0, X10)
	SUM(Y2, Y3, X2, X10)
	SUM(Y4, Y5, X4, X10)
	SUM(Y6, Y7, X6, X10)
	ADDQ $16, CX
	JZ   done4

tail4:
	VMOVSS      (DX), X8
	VFMADD231SS (SI), X8, X0
	VFMADD231SS (R9), X8, X2
	VFMADD231SS (R10), X8, X4
	VFMADD231SS (R11), X8, X6
	ADDQ        $4, DX
	ADDQ        $4, SI
	ADDQ        $4, R9
	ADDQ        $4, R10
	ADDQ        $4, R11
	DECQ        CX
	JNZ         tail4

done4:
	VMOVSS X0, (DI)
	VMOVSS X2, 4(DI)
	VMOVSS X4, 8(DI)
	VMOVSS X6, 12(DI)
	VZEROUPPER
	RET

// WIDE adds the sixteen parts of a sum in z, whose lower half is y and whose first
// quarter is x, as SUM does.
#define WIDE(z, y, x)              \
	VEXTRACTF64X4 $1, z, Y9;      \
	VADDPS        Y9, y, y;       \
	VEXTRACTF128  $1, y, X10;     \
	VADDPS        X10, x, x;      \
	VPERMILPS     $0x4e, x, X10;  \
	VADDPS        X10, x, x;      \
	VPERMILPS     $0xb1, x, X10;  \
	VADDPS        X10, x, x

// FAR adds sixteen elements of a row times those of x, in Z8, and asks for what is
// read four steps later: the processor foresees fewer rows than eight.
#define FAR(row, z)           \
	PREFETCHT0  256(row);     \
	VFMADD231PS (row), Z8, z; \
	ADDQ        $64, row

// func dot8(k int, a *float32, lda int, x, y *float32)
TEXT ·dot8(SB), NOSPLIT, $0-40
	MOVQ   k+0(FP), CX
	MOVQ   a+8(FP), SI
	MOVQ   lda+16(FP), R8
	MOVQ   x+24(FP), DX
	MOVQ   y+32(FP), DI
	LEAQ   (SI)(R8*4), R9
	LEAQ   (R9)(R8*4), R10
	LEAQ   (R10)(R8*4), R11
	LEAQ   (R11)(R8*4), R12
	LEAQ   (R12)(R8*4), R13
	LEAQ   (R13)(R8*4), BX
	LEAQ   (BX)(R8*4), AX
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	SUBQ   $16, CX
	JLT    sums8

loop8:
	VMOVUPS (DX), Z8
	ADDQ    $64, DX
	FAR(SI, Z0)
	FAR(R9, Z1)
	FAR(R10, Z2)
	FAR(R11, Z3)
	FAR(R12, Z4)
	FAR(R13, Z5)
	FAR(BX, Z6)
	FAR(AX, Z7)
	SUBQ    $16, CX
	JGE     loop8

sums8:
	WIDE(Z0, Y0, X0)
	WIDE(Z1, Y1, X1)
	WIDE(Z2, Y2, X2)
	WIDE(Z3, Y3, X3)
	WIDE(Z4, Y4, X4)
	WIDE(Z5, Y5, X5)
	WIDE(Z6, Y6, X6)
	WIDE(Z7, Y7, X7)
	ADDQ $16, CX
	JZ   done8

tail8:
	VMOVSS      (DX), X8
	VFMADD231SS (SI), X8, X0
	VFMADD231SS (R9), X8, X1
	VFMADD231SS (R10), X8, X2
	VFMADD231SS (R11), X8, X3
	VFMADD231SS (R12), X8, X4
	VFMADD231SS (R13), X8, X5
	VFMADD231SS (BX), X8, X6
	VFMADD231SS (AX), X8, X7
	ADDQ        $4, DX
	ADDQ        $4, SI
	ADDQ        $4, R9
	ADDQ        $4, R10
	ADDQ        $4, R11
	ADDQ        $4, R12
	ADDQ        $4, R13
	ADDQ        $4, BX
	ADDQ        $4, AX
	DECQ        CX
	JNZ         tail8

done8:
	VMOVSS X0, (DI)
	VMOVSS X1, 4(DI)
	VMOVSS X2, 8(DI)
	VMOVSS X3, 12(DI)
	VMOVSS X4, 16(DI)
	VMOVSS X5, 20(DI)
	VMOVSS X6, 24(DI)
	VMOVSS X7, 28(DI)
	VZEROUPPER
	RET

// func dot1(k int, a, x, y *float32)
TEXT ·dot1(SB), NOSPLIT, $0-32
	MOVQ   k+0(FP), CX
	MOVQ   a+8(FP), SI
	MOVQ   x+16(FP), DX
	MOVQ   y+24(FP), DI
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	SUBQ   $16, CX
	JLT    sums1

loop1:
	VMOVUPS     (DX), Y8
	VMOVUPS     32(DX), Y9
	VFMADD231PS (SI), Y8, Y0
	VFMADD231PS 32(SI), Y9, Y1
	ADDQ        $64, DX
	ADDQ        $64, SI
	SUBQ        $16, CX
	JGE         loop1

sums1:
	SUM(Y0, Y1, X0, X10)
	ADDQ $16, CX
	JZ   done1

tail1:
	VMOVSS      (DX), X8
	VFMADD231SS (SI), X8, X0
	ADDQ        $4, DX
	ADDQ        $4, SI
	DECQ        CX
	JNZ         tail1

done1:
	VMOVSS X0, (DI)
	VZEROUPPER
	RET

// func axpy4(n int, a, b *float32, ldb int, y *float32)
TEXT ·axpy4(SB), NOSPLIT, $0-40
	MOVQ         n+0(FP), CX
	MOVQ         a+8(FP), AX
	MOVQ         b+16(FP), SI
	MOVQ         ldb+24(FP), R8
	MOVQ         y+32(FP), DI
	LEAQ         (SI)(R8*4), R9
	LEAQ         (R9)(R8*4), R10
	LEAQ         (R10)(R8*4), R11
	VBROADCASTSS (AX), Y4
	VBROADCASTSS 4(AX), Y5
	VBROADCASTSS 8(AX), Y6
	VBROADCASTSS 12(AX), Y7
	XORQ         BX, BX
	SUBQ         $16, CX
	JLT          rest

loop:
	VMOVUPS     (DI)(BX*4), Y0
	VMOVUPS     32(DI)(BX*4), Y1
	VFMADD231PS (SI)(BX*4), Y4, Y0
	VFMADD231PS 32(SI)(BX*4), Y4, Y1
	VFMADD231PS (R9)(BX*4), Y5, Y0
	VFMADD231PS 32(R9)(BX*4), Y5, Y1
	VFMADD231PS (R10)(BX*4), Y6, Y0
	VFMADD231PS 32(R10)(BX*4), Y6, Y1
	VFMADD231PS (R11)(BX*4), Y7, Y0
	VFMADD231PS 32(R11)(BX*4), Y7, Y1
	VMOVUPS     Y0, (DI)(BX*4)
	VMOVUPS     Y1, 32(DI)(BX*4)
	ADDQ        $16, BX
	SUBQ        $16, CX
	JGE         loop

rest:
	ADDQ $16, CX
	JZ   done

tail:
	VMOVSS      (DI)(BX*4), X0
	VFMADD231SS (SI)(BX*4), X4, X0
	VFMADD231SS (R9)(BX*4), X5, X0
	VFMADD231SS (R10)(BX*4), X6, X0
	VFMADD231SS (R11)(BX*4), X7, X0
	VMOVSS      X0, (DI)(BX*4)
	INCQ        BX
	DECQ        CX
	JNZ         tail

done:
	VZEROUPPER
	RET

// func axpy1(n int, a, b, y *float32)
TEXT ·axpy1(SB), NOSPLIT, $0-32
	MOVQ         n+0(FP), CX
	MOVQ         a+8(FP), AX
	MOVQ         b+16(FP), SI
	MOVQ         y+24(FP), DI
	VBROADCASTSS (AX), Y4
	XORQ         BX, BX
	SUBQ         $8, CX
	JLT          restOne

loopOne:
	VMOVUPS     (DI)(BX*4), Y0
	VFMADD231PS (SI)(BX*4), Y4, Y0
	VMOVUPS     Y0, (DI)(BX*4)
	ADDQ        $8, BX
	SUBQ        $8, CX
	JGE         loopOne

restOne:
	ADDQ $8, CX
	JZ   doneOne

tailOne:
	VMOVSS      (DI)(BX*4), X0
	VFMADD231SS (SI)(BX*4), X4, X0
	VMOVSS      X0, (DI)(BX*4)
	INCQ        BX
	DECQ        CX
	JNZ         tailOne

doneOne:
	VZEROUPPER
	RET
