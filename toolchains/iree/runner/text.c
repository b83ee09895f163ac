// Elements as text: arguments in, results out, as `skainet run` reads and prints them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { MAX_PRINTED = 64, SHOWN_OF_MORE = 8 };

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

value text_parse(const char* name, const tensor_type* type, const char* text) {
  value v = {.type = *type};
  const int64_t n = type_elements(type);
  for (int32_t d = 0; d < type->rank; ++d) {
    if (type->dims[d] == DYNAMIC) {
      fail("BACKEND_BAD_ARGUMENT", "argument %s is %s: give a .npy file, which has its sizes",
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
    size_t length = strcspn(text, ",");
    const char* next = text + length;
    while (length && is_space(*text)) ++text, --length;
    while (length && is_space(text[length - 1])) --length;
    if (!number_parse(type->element, text, length, v.data + i * type->element->bytes)) {
      fail("BACKEND_BAD_ARGUMENT", "argument %s: element %lld, %.*s, is not a valid %s; %s", name,
           (long long)i, (int)(length < 60 ? length : 60), text, type->element->name,
           number_forms(type->element));
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
      d = number_of_half(e, half);
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
