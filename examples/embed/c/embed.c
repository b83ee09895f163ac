// Calls the embedded program: y = Wx + b with W the identity and b zero.
#include <stdio.h>
#include <string.h>

#include "examples/embed/linear.h"
#include "ireert.h"

static char error[1024];

static int failed(int32_t code, const char* what) {
  if (code) fprintf(stderr, "%s: %s\n", what, error);
  return code != 0;
}

int main(void) {
  ireert_session* session = NULL;
  int32_t function = 0;
  char* err = error;
  const int64_t cap = sizeof error;
  if (failed(ireert_open("local-sync", NULL, 0, &session, err, cap), "open") ||
      failed(ireert_params_memory(session, LINEAR_SCOPE, linear_archive, LINEAR_ARCHIVE_SIZE, err,
                                  cap),
             "archive") ||
      failed(ireert_load_memory(session, linear_program, LINEAR_PROGRAM_SIZE, err, cap),
             "program") ||
      failed(ireert_func(session, LINEAR_MAIN_FUNCTION, &function, err, cap), "function")) {
    return 1;
  }
  float x[2] = {3, -4.5f}, y[2] = {0};
  _Static_assert(sizeof x == LINEAR_MAIN_ARG_X_BYTES, "x");
  _Static_assert(sizeof y == LINEAR_MAIN_RESULT_Y_BYTES, "y");
  ireert_tensor in = {
      .data = x,
      .nbytes = LINEAR_MAIN_ARG_X_BYTES,
      .dtype = LINEAR_MAIN_ARG_X_DTYPE,
      .rank = LINEAR_MAIN_ARG_X_RANK,
      .dims = LINEAR_MAIN_ARG_X_DIMS,
  };
  ireert_tensor out = {.data = y, .nbytes = sizeof y};
  if (failed(ireert_call(session, function, &in, LINEAR_MAIN_ARGS, &out, LINEAR_MAIN_RESULTS, err,
                         cap),
             "call")) {
    return 1;
  }
  printf("y = [%g %g]\n", y[0], y[1]);
  ireert_close(session);
  return memcmp(x, y, sizeof x) != 0;
}
