// Arm's MPS2 board with a Cortex-M7 (AN500), and a debugger or an emulator that
// answers to semihosting: with neither the processor stops at the first such call.
#include <stdint.h>

#include "examples/embed/cortexm/c/board.h"

#define CPACR (*(volatile uint32_t*)0xe000ed88)

void board_start(void) {
  CPACR |= 0xfu << 20;  // the floating-point unit is off after a reset
  __asm__ volatile("dsb\n\tisb" ::: "memory");
}

// Arm's specification of semihosting, release 2.0.
static uint32_t semihosting(uint32_t operation, const void* argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void print(const char* text) { semihosting(0x04, text); }  // SYS_WRITE0

_Noreturn void board_end(int status) {
  const uint32_t reason[2] = {0x20026, (uint32_t)status};  // ADP_Stopped_ApplicationExit
  for (;;) semihosting(0x20, reason);                      // SYS_EXIT_EXTENDED
}
