// y = 2x + 1 on a Cortex-M7 without an operating system and without a C library.
//
// The program's code is linked in. Here a caller of its own stands in for IREE's
// runtime: it calls the one function that the code has, with pointers to the argument
// and the result.
#include <stddef.h>
#include <stdint.h>

#include "examples/embed/cortexm/c/board.h"
#include "examples/embed/cortexm/line.h"
#include "examples/embed/cortexm/line_vmfb.h"

// The code takes what it reads and writes from memory aligned like this.
#define ALIGNED _Alignas(64)

static ALIGNED const float x[] = {1, -2, 3.5f, 4e6f};
static ALIGNED float y[LINE_MAIN_RESULT_Y_BYTES / sizeof(float)];

static int call(const void* argument, size_t argument_bytes, void* result, size_t result_bytes) {
  static const iree_hal_executable_environment_v0_t environment;
  const iree_hal_executable_library_v0_t* const library =
      (const iree_hal_executable_library_v0_t*)main_dispatch_0_library_query(
          IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST, &environment);
  // Another model may be compiled to several functions, of more buffers, constants or
  // imports: then IREE's runtime says in what order they are called.
  if (!library || library->exports.count != 1 || library->imports.count ||
      library->exports.attrs[0].constant_count || library->exports.attrs[0].binding_count != 2 ||
      library->exports.attrs[0].local_memory_pages)
    return 1;
  void* const buffers[] = {(void*)argument, result};
  const size_t lengths[] = {argument_bytes, result_bytes};
  const iree_hal_executable_dispatch_state_v0_t dispatch = {
      .workgroup_size_x = 1,
      .workgroup_size_y = 1,
      .workgroup_size_z = 1,
      .workgroup_count_x = 1,
      .workgroup_count_y = 1,
      .workgroup_count_z = 1,
      .max_concurrency = 1,
      .binding_count = 2,
      .binding_ptrs = buffers,
      .binding_lengths = lengths,
  };
  const iree_hal_executable_workgroup_state_v0_t workgroup = {0};
  return library->exports.ptrs[0](&environment, &dispatch, &workgroup);
}

int main(void) {
  _Static_assert(sizeof x == LINE_MAIN_ARG_X_BYTES, "the model's argument");
  if (call(x, sizeof x, y, sizeof y)) {
    print("the code is not what this caller is for\n");
    return 1;
  }
  // As bits, for there is no printf.
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < sizeof y / sizeof *y; ++i) {
    uint32_t bits;
    char text[10];
    __builtin_memcpy(&bits, &y[i], sizeof bits);
    for (int k = 0; k < 8; ++k) text[k] = digits[bits >> (28 - 4 * k) & 15];
    text[8] = '\n';
    text[9] = 0;
    print(text);
  }
  return 0;
}
