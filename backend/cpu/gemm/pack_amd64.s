#include "textflag.h"

// func turn4(k int, a *float32, lda int, dst *float32, width int)
TEXT ·turn4(SB), NOSPLIT, $0-40
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ lda+16(FP), R8
	MOVQ dst+24(FP), DI
	MOVQ width+32(FP), DX
	LEAQ (SI)(R8*4), R9
	LEAQ (R9)(R8*4), R10
	LEAQ (R10)(R8*4), R11
	SHLQ $2, DX

loop:
	VMOVUPS   (SI), X0
	VMOVUPS   (R9), X1
	VMOVUPS   (R10), X2
	VMOVUPS   (R11), X3
	VUNPCKLPS X1, X0, X4
	VUNPCKHPS X1, X0, X5
	VUNPCKLPS X3, X2, X6
	VUNPCKHPS X3, X2, X7
	VUNPCKLPD X6, X4, X0
	VUNPCKHPD X6, X4, X1
	VUNPCKLPD X7, X5, X2
	VUNPCKHPD X7, X5, X3
	VMOVUPS   X0, (DI)
	ADDQ      DX, DI
	VMOVUPS   X1, (DI)
	ADDQ      DX, DI
	VMOVUPS   X2, (DI)
	ADDQ      DX, DI
	VMOVUPS   X3, (DI)
	ADDQ      DX, DI
	ADDQ      $16, SI
	ADDQ      $16, R9
	ADDQ      $16, R10
	ADDQ      $16, R11
	SUBQ      $4, CX
	JNZ       loop
	RET

// func copy32(k int, src *float32, stride int, dst *float32)
TEXT ·copy32(SB), NOSPLIT, $0-32
	MOVQ k+0(FP), CX
	MOVQ src+8(FP), SI
	MOVQ stride+16(FP), R8
	MOVQ dst+24(FP), DI
	SHLQ $2, R8

rows32:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	VMOVUPS 96(SI), Y3
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	ADDQ    R8, SI
	ADDQ    $128, DI
	DECQ    CX
	JNZ     rows32
	VZEROUPPER
	RET
