// Numbers as text, in the forms that backend/argtext documents: less than strtod and
// strtoll take, so that a text is the same number on a board as in a build.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runner.h"

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

float number_of_half(const element* e, uint16_t h) {
  if (e->name[0] == 'b') return float_of((uint32_t)h << 16);
  const uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
  if (exponent == 31) return float_of(sign | 0x7f800000 | fraction << 13);
  if (exponent) return float_of(sign | (exponent + 112) << 23 | fraction << 13);
  const float f = (float)fraction / 16777216;
  return sign ? -f : f;
}

const char* number_forms(const element* e) {
  if (e->kind == 'b') return "write true, false, 1 or 0";
  if (e->kind == 'f')
    return "write a number in its range, such as -1.5, 1e-3, 0x1.8p-3, inf or nan";
  return "write an integer in its range, such as 12 or 0x1f";
}

static int is(const char* word, size_t n, const char* want) {
  return n == strlen(want) && !strncasecmp(word, want, n);
}

// The value of a digit, or -1.
static int digit(char c, int base) {
  const int d = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : base;
  return d < base ? d : -1;
}

static int is_hex(const char* p, const char* end) {
  return end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
}

static int whole(const element* e, const char* p, const char* end, unsigned char* out) {
  int negative = 0;
  if (e->kind == 'i' && p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const int base = is_hex(p, end) ? 16 : 10;
  if (base == 16) p += 2;
  if (p == end) return 0;
  uint64_t u = 0;
  for (; p < end; ++p) {
    const int d = digit(*p, base);
    if (d < 0 || __builtin_mul_overflow(u, (uint64_t)base, &u) ||
        __builtin_add_overflow(u, (uint64_t)d, &u))
      return 0;
  }
  const int bits = e->bytes * 8;
  const uint64_t most = e->kind == 'u' ? UINT64_MAX >> (64 - bits)
                                       : (UINT64_MAX >> (65 - bits)) + (uint64_t)negative;
  if (u > most) return 0;
  if (negative) u = -u;
  memcpy(out, &u, (size_t)e->bytes);
  return 1;
}

// Whether the text, without its sign, is a float: digits with at most one point, and an
// exponent, which a hexadecimal one must have.
static int is_float(const char* p, const char* end) {
  const int hex = is_hex(p, end), base = hex ? 16 : 10;
  if (hex) p += 2;
  int digits = 0, points = 0;
  for (; p < end && (*p == '.' || digit(*p, base) >= 0); ++p) {
    if (*p == '.') {
      ++points;
    } else {
      ++digits;
    }
  }
  if (!digits || points > 1) return 0;
  if (p == end) return !hex;
  if ((*p | 0x20) != (hex ? 'p' : 'e')) return 0;
  if (++p < end && (*p == '-' || *p == '+')) ++p;
  if (p == end) return 0;
  while (p < end && *p >= '0' && *p <= '9') ++p;
  return p == end;
}

// Compares the number of a decimal text with d, which it is as a double: -1, 0 or 1.
// Both have the same first 15 digits, so it is the digits behind them that differ.
static int compare(const char* text, const char* end, double d) {
  static char exact[512];
  // All digits of an f32: no more than 39 before the point, and 149 behind it.
  snprintf(exact, sizeof exact, "%.160f", d);
  const char* sides[2] = {text, exact};
  const char* ends[2] = {end, exact + strlen(exact)};
  int64_t place[2];  // the power of ten of the first digit that is not 0
  for (int k = 0; k < 2; ++k) {
    const char* p = sides[k];
    int64_t exponent = -1;
    int point = 0;
    const char* last = p;
    for (; last < ends[k] && (*last | 0x20) != 'e'; ++last) {
      point |= *last == '.';
      exponent += !point;
    }
    // An exponent that is not small goes with as many digits.
    if (last < ends[k]) exponent += strtol(last + 1, NULL, 10);
    for (; p < last && (*p == '0' || *p == '.'); ++p) exponent -= *p == '0';
    sides[k] = p, ends[k] = last, place[k] = exponent;
  }
  if (place[0] != place[1]) return place[0] > place[1] ? 1 : -1;
  while (sides[0] < ends[0] || sides[1] < ends[1]) {
    int digits[2];
    for (int k = 0; k < 2; ++k) {
      if (sides[k] < ends[k] && *sides[k] == '.') ++sides[k];
      digits[k] = sides[k] < ends[k] ? *sides[k]++ : '0';
    }
    if (digits[0] != digits[1]) return digits[0] > digits[1] ? 1 : -1;
  }
  return 0;
}

// The number of a hexadecimal text; where it has more than 52 bits, these with the last
// one set.
static double hexadecimal(const char* p) {
  uint64_t bits = 0;
  int64_t exponent = 0;
  int point = 0;
  for (p += 2; (*p | 0x20) != 'p'; ++p) {
    if (*p == '.') {
      point = 1;
      continue;
    }
    const int d = digit(*p, 16);
    if (bits >> 48) {
      bits |= d != 0;
      exponent += point ? 0 : 4;
    } else {
      bits = bits << 4 | (uint64_t)d;
      exponent -= point ? 4 : 0;
    }
  }
  const int64_t given = strtol(p + 1, NULL, 10), most = 1 << 30;
  exponent += given > most ? most : given < -most ? -most : given;
  return ldexp((double)bits, exponent > most ? INT_MAX : exponent < -most ? INT_MIN : (int)exponent);
}

// The f32 that rounds to fewer bits as the number of the text does: where that lies between
// two of them, the one whose last bit is set. backend/argtext says why.
static float odd(const char* text, const char* end) {
  const int hex = is_hex(text, end);
  const double d = hex ? hexadecimal(text) : strtod(text, NULL);
  const float f = (float)d;
  const uint32_t u = bits_of(f);
  if (f == 0 || u & 1 || isinf(f)) return f;
  const int order = d != f ? (d > f ? 1 : -1) : hex ? 0 : compare(text, end, d);
  return float_of(u + (uint32_t)order);
}

static int floating(const element* e, const char* p, const char* end, unsigned char* out) {
  const char* const word = p;
  int negative = 0;
  if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const size_t n = (size_t)(end - p);
  double d = 0;
  const int infinite = is(p, n, "inf") || is(p, n, "infinity");
  if (infinite) {
    d = INFINITY;
  } else if (p == word && is(p, n, "nan")) {
    d = NAN;
  } else if (!is_float(p, end)) {
    return 0;
  } else if (e->bytes == 2) {
    d = odd(p, end);
  } else {
    // What follows goes on no number: a comma, a space, the end.
    d = e->bytes == 8 ? strtod(p, NULL) : strtof(p, NULL);
  }
  if (negative) d = -d;
  const float f = (float)d;
  const int brain = e->name[0] == 'b';
  const uint16_t half = brain ? to_bf16(f) : to_f16(f);
  // Only what is written as infinite is.
  const int is_infinite = e->bytes == 2 ? (half & 0x7fff) == (brain ? 0x7f80 : 0x7c00) : isinf(d);
  const void* bytes = &half;
  if (e->bytes == 4) bytes = &f;
  if (e->bytes == 8) bytes = &d;
  memcpy(out, bytes, (size_t)e->bytes);
  return infinite || !is_infinite;
}

int number_parse(const element* e, const char* word, size_t n, unsigned char* out) {
  if (e->kind == 'f') return floating(e, word, word + n, out);
  if (e->kind != 'b') return whole(e, word, word + n, out);
  const int yes = (n == 4 && !memcmp(word, "true", 4)) || (n == 1 && *word == '1'),
            no = (n == 5 && !memcmp(word, "false", 5)) || (n == 1 && *word == '0');
  *out = (unsigned char)yes;
  return yes || no;
}
