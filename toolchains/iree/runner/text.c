// Elements as text: arguments in, results out, as `skainet run` reads and prints them.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { MAX_PRINTED = 64, SHOWN_OF_MORE = 8 };

static uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static float float_of(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

// Rounds to nearest even, as IEEE 754 does.
static uint16_t to_bf16(float f) {
  const uint32_t u = bits_of(f);
  if ((u & 0x7fffffff) > 0x7f800000) return (uint16_t)(u >> 16 | 0x40);
  return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static uint16_t to_f16(float f) {
  const uint32_t u = bits_of(f);
  const uint16_t sign = (uint16_t)(u >> 16 & 0x8000);
  const uint32_t magnitude = u & 0x7fffffff;
  if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x477ff000) return sign | 0x7c00;  // 65520 and more
  if (magnitude < 0x38800000) {
    // Subnormal: the sum with 0.5 puts the last bit of an f16 in an f32's last place.
    return sign | (uint16_t)(bits_of(float_of(magnitude) + 0.5f) - 0x3f000000);
  }
  return sign | (uint16_t)((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13);
}

static float from_f16(uint16_t h) {
  const uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
  if (exponent == 31) return float_of(sign | 0x7f800000 | fraction << 13);
  if (exponent) return float_of(sign | (exponent + 112) << 23 | fraction << 13);
  const float f = (float)fraction / 16777216;
  return sign ? -f : f;
}

// Parses one element and stores its little-endian bytes; 0 for a word that is none.
static int parse_element(const element* e, const char* word, unsigned char* out) {
  char* end = NULL;
  errno = 0;
  if (!*word) return 0;
  if (e->kind == 'b') {
    const int yes = !strcmp(word, "true") || !strcmp(word, "1"),
              no = !strcmp(word, "false") || !strcmp(word, "0");
    *out = (unsigned char)yes;
    return yes || no;
  }
  if (e->kind == 'f' && e->bytes == 8) {
    const double d = strtod(word, &end);
    memcpy(out, &d, 8);
    return !*end && !(errno == ERANGE && isinf(d));
  }
  if (e->kind == 'f') {
    const float f = strtof(word, &end);
    const int brain = e->name[0] == 'b';
    const uint16_t half = brain ? to_bf16(f) : to_f16(f);
    // Only what is written as infinite is.
    if (e->bytes == 2 && !isinf(f) && (half & 0x7fff) == (brain ? 0x7f80 : 0x7c00)) return 0;
    if (e->bytes == 4) {
      memcpy(out, &f, 4);
    } else {
      memcpy(out, &half, 2);
    }
    return !*end && !(errno == ERANGE && isinf(f));
  }
  const int bits = e->bytes * 8;
  if (e->kind == 'u') {
    if (*word < '0' || *word > '9') return 0;  // strtoull takes a sign
    const unsigned long long u = strtoull(word, &end, 0);
    memcpy(out, &u, (size_t)e->bytes);
    return !*end && !errno && (bits == 64 || u >> bits == 0);
  }
  const long long i = strtoll(word, &end, 0);
  memcpy(out, &i, (size_t)e->bytes);
  return !*end && !errno && (bits == 64 || (i >= -(1LL << (bits - 1)) && i < 1LL << (bits - 1)));
}

value text_parse(const char* name, const tensor_type* type, const char* text) {
  value v = {.type = *type};
  const int64_t n = type_elements(type);
  for (int32_t d = 0; d < type->rank; ++d) {
    if (type->dims[d] == DYNAMIC) {
      fail("BACKEND_BAD_ARGUMENT", "argument %s is %s: give a .npy file, which says its sizes",
           name, type_text(type));
    }
  }
  int64_t given = *text ? 1 : 0;
  for (const char* p = text; *p; ++p) given += *p == ',';
  if (given != n) {
    fail("BACKEND_BAD_ARGUMENT", "argument %s is %s, %lld elements given", name, type_text(type),
         (long long)given);
  }
  v.nbytes = n * type->element->bytes;  // n is at most the length of the command line
  v.data = take((size_t)v.nbytes);
  for (int64_t i = 0; i < n; ++i) {
    char word[64];
    size_t length = strcspn(text, ",");
    const char* next = text + length;
    while (length && *text == ' ') ++text, --length;
    while (length && text[length - 1] == ' ') --length;
    if (length < sizeof word) {
      memcpy(word, text, length);
      word[length] = 0;
    }
    if (length >= sizeof word ||
        !parse_element(type->element, word, v.data + i * type->element->bytes)) {
      fail("BACKEND_BAD_ARGUMENT", "argument %s: element %lld, %.*s, is no %s", name, (long long)i,
           (int)(length < 60 ? length : 60), text, type->element->name);
    }
    text = *next ? next + 1 : next;
  }
  return v;
}

// Prints the fewest digits that read back to the same value, with an exponent
// below 1e-4 and from 1e6 on, as Go's strconv does.
static void print_float(double d, int narrow) {
  if (isnan(d)) {
    printf("NaN");
    return;
  }
  if (isinf(d)) {
    printf(d > 0 ? "+Inf" : "-Inf");
    return;
  }
  char text[40];
  int digits = 1;
  for (; digits < 17; ++digits) {
    snprintf(text, sizeof text, "%.*e", digits - 1, d);
    if (narrow ? strtof(text, NULL) == (float)d : strtod(text, NULL) == d) break;
  }
  snprintf(text, sizeof text, "%.*e", digits - 1, d);
  const int exponent = atoi(strchr(text, 'e') + 1);
  if (exponent < -4 || exponent >= 6) {
    printf("%s", text);
  } else {
    printf("%.*f", digits - 1 > exponent ? digits - 1 - exponent : 0, d);
  }
}

static void print_element(const element* e, const unsigned char* at) {
  if (e->kind == 'f') {
    double d = 0;
    float f = 0;
    uint16_t half = 0;
    if (e->bytes == 8) {
      memcpy(&d, at, 8);
    } else if (e->bytes == 4) {
      memcpy(&f, at, 4);
      d = f;
    } else {
      memcpy(&half, at, 2);
      d = e->name[0] == 'b' ? float_of((uint32_t)half << 16) : from_f16(half);
    }
    print_float(d, e->bytes < 8);
    return;
  }
  uint64_t u = 0;
  memcpy(&u, at, (size_t)e->bytes);
  const int spare = 64 - e->bytes * 8;
  if (e->kind == 'i') {
    printf("%lld", (long long)((int64_t)(u << spare) >> spare));
  } else {
    printf("%llu", (unsigned long long)u);
  }
}

// Prints the elements in brackets, one pair for each dimension; gives the number printed.
static int64_t nest(const value* v, int32_t d, int64_t at) {
  if (d == v->type.rank) {
    print_element(v->type.element, v->data + at * v->type.element->bytes);
    return at + 1;
  }
  putchar('[');
  for (int64_t i = 0; v->nbytes && i < v->type.dims[d]; ++i) {
    if (i) putchar(' ');
    at = nest(v, d + 1, at);
  }
  putchar(']');
  return at;
}

void text_print(const char* name, const value* v) {
  const int64_t n = type_elements(&v->type);
  printf("%s: %s = ", name, type_text(&v->type));
  if (n <= MAX_PRINTED) {
    nest(v, 0, 0);
  } else {
    putchar('[');
    for (int64_t i = 0; i < SHOWN_OF_MORE; ++i) {
      print_element(v->type.element, v->data + i * v->type.element->bytes);
      putchar(' ');
    }
    printf("... %lld elements]", (long long)n);
  }
  putchar('\n');
}
