// What a firmware has to supply for its board.
#ifndef SKAINET_EXAMPLES_EMBED_CORTEXM_C_BOARD_H_
#define SKAINET_EXAMPLES_EMBED_CORTEXM_C_BOARD_H_

// Runs before anything that uses floats.
void board_start(void);

// Where text goes, and what happens at the end.
void print(const char* text);
_Noreturn void board_end(int status);

#endif
