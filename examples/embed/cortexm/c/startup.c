// The vectors, and what C wants before main: data in RAM, zeros, floats.
#include <stdint.h>

#include "examples/embed/cortexm/c/board.h"

int main(void);

// The linker script's.
extern uint32_t stack_top, data_begin, data_end, data_in_flash, bss_begin, bss_end;

_Noreturn void reset(void) {
  const uint32_t* from = &data_in_flash;
  for (uint32_t* to = &data_begin; to < &data_end;) *to++ = *from++;
  for (uint32_t* to = &bss_begin; to < &bss_end;) *to++ = 0;
  board_start();
  board_end(main());
}

static void fault(void) {
  for (;;) {
  }
}

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {
    &stack_top, (const void*)reset, (const void*)fault, (const void*)fault,
    (const void*)fault, (const void*)fault, (const void*)fault,
};
