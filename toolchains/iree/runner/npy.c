// NumPy's .npy files, versions 1.0 and 2.0: what package io/npy reads, with its codes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { MAX_HEADER = 64 << 10 };

// The header is a Python dict literal of three known keys.
typedef struct scanner {
  const char* path;
  const char* text;
  const char* end;
  const char* at;
  int64_t offset;  // of text in the file
} scanner;

static _Noreturn void bad(const scanner* s, const char* what) {
  fail("NPY_BAD_HEADER", "%s: byte %lld: %s; save the array with numpy.save", s->path,
       (long long)(s->offset + (s->at - s->text)), what);
}

static void blank(scanner* s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\n')) ++s->at;
}

static int peek(scanner* s, const char* token) {
  blank(s);
  const size_t n = strlen(token);
  return (size_t)(s->end - s->at) >= n && !memcmp(s->at, token, n);
}

static int accept(scanner* s, const char* token) {
  if (!peek(s, token)) return 0;
  s->at += strlen(token);
  return 1;
}

// Reads a string without escapes into out, of 16 bytes; names and types need no more.
static void quoted(scanner* s, char* out) {
  const char quote = peek(s, "'") ? '\'' : '"';
  if (!accept(s, "'") && !accept(s, "\""))
    bad(s, "expected a quoted string; arrays with named fields are not supported");
  size_t n = 0;
  for (; s->at < s->end && *s->at != quote; ++s->at) {
    if (*s->at == '\\' || *s->at == '\n' || n == 15)
      bad(s, "a string is too long, or has an escape");
    out[n++] = *s->at;
  }
  if (s->at == s->end) bad(s, "unterminated string");
  ++s->at;
  out[n] = 0;
}

static void tuple(scanner* s, tensor_type* type) {
  if (!accept(s, "(")) bad(s, "a shape is a tuple");
  while (!accept(s, ")")) {
    blank(s);
    if (s->at == s->end || *s->at < '0' || *s->at > '9')
      bad(s, "a size is a number from 0 to 2^63-1");
    int64_t n = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; ++s->at) {
      if (__builtin_mul_overflow(n, (int64_t)10, &n) ||
          __builtin_add_overflow(n, (int64_t)(*s->at - '0'), &n)) {
        bad(s, "a size is a number from 0 to 2^63-1");
      }
    }
    if (type->rank == MAX_RANK) bad(s, "more than 8 dimensions");
    type->dims[type->rank++] = n;
    if (!accept(s, ",") && (!peek(s, ")") || type->rank == 1)) {
      bad(s, "expected a comma or ); a tuple of one number ends in a comma");
    }
  }
}

// Reads the dict; gives descr and whether the array is in Fortran order.
static int dict(scanner* s, char* descr, tensor_type* type) {
  int fortran = 0, seen = 0;
  if (!accept(s, "{")) bad(s, "a header starts with {");
  while (!accept(s, "}")) {
    char key[16];
    quoted(s, key);
    const int bit = !strcmp(key, "descr")           ? 1
                    : !strcmp(key, "fortran_order") ? 2
                    : !strcmp(key, "shape")         ? 4
                                                    : 0;
    if (!bit || seen & bit) bad(s, "a key is not one of a .npy file, or is there twice");
    seen |= bit;
    if (!accept(s, ":")) bad(s, "a key is followed by a colon");
    if (bit == 1) {
      quoted(s, descr);
    } else if (bit == 4) {
      tuple(s, type);
    } else if (accept(s, "True")) {
      fortran = 1;
    } else if (!accept(s, "False")) {
      bad(s, "expected True or False");
    }
    if (!accept(s, ",") && !peek(s, "}")) bad(s, "expected a comma or }");
  }
  if (seen != 7) bad(s, "the header lacks descr, fortran_order or shape");
  blank(s);
  if (s->at != s->end) bad(s, "there is text after the header's dict");
  return fortran;
}

// Finds the element type; *swapped says that the bytes are big endian.
static const element* descr_element(const char* descr, int* swapped) {
  static const char* const names[] = {"bool", "i8",  "i16", "i32", "i64", "u8",
                                      "u16",  "u32", "u64", "f16", "f32", "f64"};
  for (size_t i = 0; descr[0] && i < sizeof names / sizeof *names; ++i) {
    const element* e = element_named(names[i], strlen(names[i]));
    if (strcmp(descr + 1, e->numpy)) continue;
    *swapped = descr[0] == '>';
    if (e->bytes == 1 ? descr[0] == '|' : descr[0] == '<' || descr[0] == '>') return e;
  }
  return NULL;
}

// Reads what precedes the dict; gives its length and where it begins.
static int64_t read_start(FILE* f, const char* path, int64_t* at) {
  unsigned char start[12];
  if (fread(start, 1, 10, f) < 10 || memcmp(start, "\x93NUMPY", 6)) {
    fail("NPY_BAD_MAGIC", "%s: byte 0: not a .npy file; save the array with numpy.save", path);
  }
  int64_t length = start[8] | start[9] << 8;
  *at = 10;
  if (start[6] == 2 && start[7] == 0) {
    if (fread(start + 10, 1, 2, f) < 2) {
      fail("NPY_BAD_HEADER", "%s: byte 10: the file ends in the header's length", path);
    }
    *at = 12;
    length |= (int64_t)start[10] << 16 | (int64_t)start[11] << 24;
  } else if (start[6] != 1 || start[7] != 0) {
    fail("NPY_BAD_HEADER", "%s: byte 6: format version %d.%d; 1.0 and 2.0 are read", path, start[6],
         start[7]);
  }
  if (length > MAX_HEADER) {
    fail("NPY_BAD_HEADER", "%s: byte 8: a header of %lld bytes; at most %d are read", path,
         (long long)length, MAX_HEADER);
  }
  return length;
}

value npy_read(const char* path) {
  FILE* f = open_file(path);
  int64_t at = 0, n = 0;
  const int64_t length = read_start(f, path, &at);
  const char* text = (const char*)read_at_most(f, path, length, &n);
  if (n < length) {
    fail("NPY_BAD_HEADER", "%s: byte %lld: the file ends in the header", path, (long long)(at + n));
  }
  scanner s = {path, text, text + length, text, at};
  value v;
  memset(&v, 0, sizeof v);
  char descr[16] = "";
  int swapped = 0;
  const int fortran = dict(&s, descr, &v.type);
  // One dimension, or none, is the same in both orders.
  if (fortran && v.type.rank > 1) {
    fail("NPY_ORDER", "%s: byte 10: the array is in Fortran order; save numpy.ascontiguousarray(x)",
         path);
  }
  v.type.element = descr_element(descr, &swapped);
  if (!v.type.element) fail("NPY_DTYPE", "%s: byte 10: element type %s is not read", path, descr);
  v.nbytes = type_bytes(&v.type);
  if (v.nbytes < 0 || v.nbytes > INT64_MAX / 2) {
    fail("NPY_BAD_HEADER", "%s: byte 10: the shape is too large", path);
  }
  free((void*)text);
  at += length;
  v.data = read_at_most(f, path, v.nbytes + 1, &n);  // one more, to see that the file ends
  fclose(f);
  if (n != v.nbytes) {
    fail("NPY_SIZE", "%s: byte %lld: %s data than the %lld bytes that the shape needs", path,
         (long long)(at + n), n < v.nbytes ? "less" : "more", (long long)v.nbytes);
  }
  const int32_t width = v.type.element->bytes;
  for (int64_t i = 0; swapped && i < v.nbytes; i += width) {
    for (int32_t a = 0, b = width - 1; a < b; ++a, --b) {
      const unsigned char held = v.data[i + a];
      v.data[i + a] = v.data[i + b];
      v.data[i + b] = held;
    }
  }
  for (int64_t i = 0; v.type.element->kind == 'b' && i < v.nbytes; ++i) {
    if (v.data[i] > 1)
      fail("NPY_SIZE", "%s: byte %lld: a bool holds %d", path, (long long)(at + i), v.data[i]);
  }
  return v;
}

void npy_write(int output, const char* path, const value* v) {
  if (!*v->type.element->numpy) {
    fail("NPY_DTYPE", "%s: NumPy has no element type %s; print the result", path,
         v->type.element->name);
  }
  char head[512];
  int n = snprintf(head, sizeof head, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                   v->type.element->bytes == 1 ? '|' : '<', v->type.element->numpy);
  int first = 0;
  for (int32_t d = 0; d < v->type.rank; ++d) {
    const int digits = snprintf(head + n, sizeof head - (size_t)n, "%s%lld", d ? ", " : "",
                                (long long)v->type.dims[d]);
    if (!d) first = digits;
    n += digits;
  }
  n += snprintf(head + n, sizeof head - (size_t)n, "%s), }", v->type.rank == 1 ? "," : "");
  // NumPy leaves room for the first size to grow to 21 digits, and the data
  // starts at a multiple of 64 bytes, after a line feed.
  int pad = v->type.rank ? 21 - first : 0;
  pad += (64 - (10 + n + pad + 1) % 64) % 64;
  n += snprintf(head + n, sizeof head - (size_t)n, "%*s\n", pad, "");

  FILE* f = output_begin(output);
  const unsigned char start[10] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)n, (unsigned char)(n >> 8)};
  int ok = fwrite(start, 1, sizeof start, f) == sizeof start;
  ok &= fwrite(head, 1, (size_t)n, f) == (size_t)n;
  ok &= fwrite(v->data, 1, (size_t)v->nbytes, f) == (size_t)v->nbytes;
  ok &= !fclose(f);
  if (!ok) fail("FILE_WRITE", "%s: cannot be written; is the disk full?", path);
}
