// NVIDIA's driver without a device: it notes its calls in the file named by STUB_CALLS.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUDA_SUCCESS = 0, CUDA_ERROR_NO_DEVICE = 100 };

static void note(const char* what) {
  FILE* f = fopen(getenv("STUB_CALLS"), "a");
  if (!f) return;
  fprintf(f, "%s\n", what);
  fclose(f);
}

static int error_name(int error, const char** out) {
  (void)error;
  *out = "CUDA_ERROR_NO_DEVICE";
  return CUDA_SUCCESS;
}

static int error_string(int error, const char** out) {
  (void)error;
  *out = "no CUDA-capable device is detected";
  return CUDA_SUCCESS;
}

static int init(unsigned flags) {
  (void)flags;
  note("cuInit");
  return CUDA_ERROR_NO_DEVICE;
}

static int refuse(void) { return CUDA_ERROR_NO_DEVICE; }

int cuGetProcAddress(const char* name, void** out, int version, unsigned long long flags);

int cuGetProcAddress(const char* name, void** out, int version, unsigned long long flags) {
  (void)version;
  (void)flags;
  *out = (void*)refuse;
  if (!strcmp(name, "cuInit")) *out = (void*)init;
  if (!strcmp(name, "cuGetErrorName")) *out = (void*)error_name;
  if (!strcmp(name, "cuGetErrorString")) *out = (void*)error_string;
  if (!strcmp(name, "cuGetProcAddress")) *out = (void*)cuGetProcAddress;
  return CUDA_SUCCESS;
}
