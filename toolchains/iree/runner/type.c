// Element types and shapes.
#include <stdio.h>
#include <string.h>

#include "runner.h"

static const element kElements[] = {
    {"bool", "b1", 0x13000008, 1, 'b'}, {"i8", "i1", 0x10000008, 1, 'i'},
    {"i16", "i2", 0x10000010, 2, 'i'},  {"i32", "i4", 0x10000020, 4, 'i'},
    {"i64", "i8", 0x10000040, 8, 'i'},  {"u8", "u1", 0x12000008, 1, 'u'},
    {"u16", "u2", 0x12000010, 2, 'u'},  {"u32", "u4", 0x12000020, 4, 'u'},
    {"u64", "u8", 0x12000040, 8, 'u'},  {"f16", "f2", 0x21000010, 2, 'f'},
    {"bf16", "", 0x22000010, 2, 'f'},   {"f32", "f4", 0x21000020, 4, 'f'},
    {"f64", "f8", 0x21000040, 8, 'f'},
};

const element* element_named(const char* name, size_t n) {
  for (size_t i = 0; i < sizeof kElements / sizeof *kElements; ++i) {
    if (strlen(kElements[i].name) == n && !memcmp(kElements[i].name, name, n)) return &kElements[i];
  }
  return NULL;
}

const element* element_of_iree(int32_t iree) {
  // A signed integer is signless in a program; some hosts say its sign.
  if ((iree & 0x7f000000) == 0x11000000) iree &= ~0x01000000;
  for (size_t i = 0; i < sizeof kElements / sizeof *kElements; ++i) {
    if (kElements[i].iree == iree) return &kElements[i];
  }
  return NULL;
}

int64_t type_elements(const tensor_type* type) {
  int64_t n = 1;
  int overflow = 0;
  for (int32_t d = 0; d < type->rank; ++d) {
    if (type->dims[d] == 0) return 0;
    overflow |= type->dims[d] < 0 || __builtin_mul_overflow(n, type->dims[d], &n);
  }
  return overflow ? -1 : n;
}

int64_t type_bytes(const tensor_type* type) {
  int64_t n = type_elements(type);
  if (n < 0 || __builtin_mul_overflow(n, (int64_t)type->element->bytes, &n)) return -1;
  return n;
}

const char* type_text(const tensor_type* type) {
  static char texts[4][256];
  static int turn = 0;
  char* text = texts[turn++ % 4];
  // 8 sizes of 20 digits fit.
  int n = snprintf(text, sizeof texts[0], "%s[", type->element->name);
  if (!type->rank) n += snprintf(text + n, sizeof texts[0] - (size_t)n, "scalar");
  for (int32_t d = 0; d < type->rank; ++d) {
    if (d) n += snprintf(text + n, sizeof texts[0] - (size_t)n, "x");
    if (type->dims[d] == DYNAMIC) {
      n += snprintf(text + n, sizeof texts[0] - (size_t)n, "?");
    } else {
      n += snprintf(text + n, sizeof texts[0] - (size_t)n, "%lld", (long long)type->dims[d]);
    }
  }
  snprintf(text + n, sizeof texts[0] - (size_t)n, "]");
  return text;
}

int type_fits(const tensor_type* have, const tensor_type* want) {
  if (have->element != want->element || have->rank != want->rank) return 0;
  for (int32_t d = 0; d < want->rank; ++d) {
    if (want->dims[d] != DYNAMIC && want->dims[d] != have->dims[d]) return 0;
  }
  return 1;
}
