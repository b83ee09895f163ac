// Instructions on four floats that Go's assembler lacks, with the numbers of
// registers (Arm Architecture Reference Manual, DDI 0487, C7.2).

// FMLA adds n times element i of m to d, rounding once.
#define FMLA(m, i, n, d) WORD $(0x4F801000 | ((i)&1)<<21 | (((i)>>1)&1)<<11 | (m)<<16 | (n)<<5 | (d))

// FADD adds m to n.
#define FADD(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
