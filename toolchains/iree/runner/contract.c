// Reads a contract: the JSON document that lies beside a program and names its
// entry points, arguments and results. What a call does not need is skipped.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { MAX_DOCUMENT = 64 << 20, MAX_DEPTH = 32, SCHEMA = 1 };

typedef struct reader {
  const char* path;
  const char* text;
  const char* end;
  const char* at;
} reader;

static _Noreturn void bad(const reader* r, const char* what) {
  fail("CONTRACT_BAD",
       "%s: byte %lld: %s; use the .contract.json that was exported with the program", r->path,
       (long long)(r->at - r->text), what);
}

static char peek(reader* r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) ++r->at;
  return r->at < r->end ? *r->at : 0;
}

static int accept(reader* r, char c) {
  if (peek(r) != c || !c) return 0;
  ++r->at;
  return 1;
}

static void want(reader* r, char c, const char* what) {
  if (!accept(r, c)) bad(r, what);
}

// Reads a string into out, which has room for size bytes. Names have no escapes;
// what has some is only skipped (out NULL).
static void string(reader* r, char* out, size_t size) {
  want(r, '"', "a string is wanted");
  size_t n = 0;
  while (r->at < r->end && *r->at != '"') {
    const unsigned char c = (unsigned char)*r->at;
    if (c < ' ') bad(r, "a control character in a string");
    if (out && (c == '\\' || n + 1 >= size)) bad(r, "a name is too long, or has an escape");
    if (c == '\\' && ++r->at == r->end) break;
    if (out) out[n++] = (char)c;
    ++r->at;
  }
  if (r->at == r->end) bad(r, "unterminated string");
  ++r->at;
  if (out) out[n] = 0;
}

static int64_t number(reader* r) {
  if (peek(r) < '0' || *r->at > '9') bad(r, "a number from 0 is wanted");
  int64_t n = 0;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; ++r->at) {
    if (__builtin_mul_overflow(n, (int64_t)10, &n) ||
        __builtin_add_overflow(n, (int64_t)(*r->at - '0'), &n)) {
      bad(r, "a number is too large");
    }
  }
  return n;
}

static void skip(reader* r, int depth) {
  if (depth == MAX_DEPTH) bad(r, "lists are too deep");
  const char c = peek(r);
  if (c == '"') {
    string(r, NULL, 0);
  } else if (c == '{' || c == '[') {
    const char close = c == '{' ? '}' : ']';
    ++r->at;
    while (!accept(r, close)) {
      if (c == '{') {
        string(r, NULL, 0);
        want(r, ':', "a key is followed by a colon");
      }
      skip(r, depth + 1);
      if (!accept(r, ',') && peek(r) != close) bad(r, "a comma is wanted");
    }
  } else {
    // A number, true, false or null.
    const char* begin = r->at;
    while (r->at < r->end && *r->at && strchr("+-.0123456789Eaeflnrstu", *r->at)) ++r->at;
    if (r->at == begin) bad(r, "a value is wanted");
  }
}

// Steps to the next key of an object, after its brace; 0 at its end.
static int key(reader* r, char* out, size_t size, int first) {
  if (accept(r, '}')) return 0;
  if (!first) want(r, ',', "a comma is wanted");
  string(r, out, size);
  want(r, ':', "a key is followed by a colon");
  return 1;
}

// Steps to the next element of a list, after its bracket; 0 at its end.
static int next(reader* r, int first) {
  if (accept(r, ']')) return 0;
  if (!first) want(r, ',', "a comma is wanted");
  return 1;
}

static void identifier(reader* r, char* out) {
  string(r, out, MAX_NAME);
  for (const char* p = out; *p || p == out; ++p) {
    const int letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_';
    if (!letter && (p == out || *p < '0' || *p > '9')) bad(r, "a name is not an identifier");
  }
}

static void read_shape(reader* r, tensor_type* type) {
  want(r, '[', "a shape is a list");
  for (int first = 1; next(r, first); first = 0) {
    if (type->rank == MAX_RANK) bad(r, "more than 8 dimensions");
    int64_t* dim = &type->dims[type->rank++];
    if (peek(r) == '"') {
      string(r, NULL, 0);
      if (r->at[-2] != '?') bad(r, "a dimension is a size, or a name that ends in ?");
      *dim = DYNAMIC;
    } else {
      *dim = number(r);
    }
  }
}

static named* read_named(reader* r, int* count) {
  named* list = take(sizeof(named));
  want(r, '[', "a list is wanted");
  for (int first = 1; next(r, first); first = 0) {
    if (*count == MAX_VALUES) bad(r, "more than 256 arguments or results");
    list = retake(list, sizeof(named) * (size_t)(*count + 1));
    named* n = &list[(*count)++];
    memset(n, 0, sizeof *n);
    want(r, '{', "an object is wanted");
    char word[MAX_NAME];
    for (int f = 1; key(r, word, sizeof word, f); f = 0) {
      if (!strcmp(word, "name")) {
        identifier(r, n->name);
      } else if (!strcmp(word, "dtype")) {
        string(r, word, sizeof word);
        n->type.element = element_named(word, strlen(word));
        if (!n->type.element) bad(r, "an element type that no program takes");
      } else if (!strcmp(word, "shape")) {
        n->type.rank = 0;
        read_shape(r, &n->type);
      } else {
        skip(r, 0);
      }
    }
    if (!*n->name || !n->type.element)
      bad(r, "an argument or a result without a name or an element type");
  }
  return list;
}

static void read_entry(reader* r, entry* e) {
  want(r, '{', "an object is wanted");
  char word[MAX_NAME];
  for (int first = 1; key(r, word, sizeof word, first); first = 0) {
    if (!strcmp(word, "name")) {
      identifier(r, e->name);
    } else if (!strcmp(word, "args") && !e->args) {
      e->args = read_named(r, &e->nargs);
    } else if (!strcmp(word, "results") && !e->results) {
      e->results = read_named(r, &e->nresults);
    } else {
      skip(r, 0);
    }
  }
  if (!*e->name) bad(r, "an entry point without a name");
}

// Reads of a parameter whose archive it is in.
static void read_parameter(reader* r, contract* c) {
  want(r, '{', "an object is wanted");
  char word[MAX_NAME], name[MAX_NAME] = "";
  for (int first = 1; key(r, word, sizeof word, first); first = 0) {
    if (!strcmp(word, "scope")) {
      string(r, name, sizeof name);
    } else {
      skip(r, 0);
    }
  }
  int i = 0;
  while (i < c->nscopes && strcmp(c->scopes[i].name, name)) ++i;
  if (i == MAX_SCOPES) bad(r, "parameters of more than 8 scopes");
  if (i == c->nscopes) memcpy(c->scopes[c->nscopes++].name, name, sizeof name);
  ++c->scopes[i].parameters;
}

contract* contract_read(const char* path) {
  int64_t n = 0;
  FILE* f = open_file(path);
  const char* text = (const char*)read_at_most(f, path, MAX_DOCUMENT + 1, &n);
  fclose(f);
  if (n > MAX_DOCUMENT) fail("CONTRACT_BAD", "%s: longer than a contract may be", path);
  reader r = {path, text, text + n, text};
  contract* c = take(sizeof *c);
  memset(c, 0, sizeof *c);
  int64_t schema = 0;
  want(&r, '{', "a contract is an object");
  char word[MAX_NAME];
  for (int first = 1; key(&r, word, sizeof word, first); first = 0) {
    if (!strcmp(word, "schema")) {
      schema = number(&r);
    } else if (!strcmp(word, "name")) {
      identifier(&r, c->name);
    } else if (!strcmp(word, "entries")) {
      want(&r, '[', "a list is wanted");
      for (int f = 1; next(&r, f); f = 0) {
        if (c->nentries == MAX_ENTRIES) bad(&r, "more than 64 entry points");
        read_entry(&r, &c->entries[c->nentries++]);
      }
    } else if (!strcmp(word, "parameters") && peek(&r) == '[') {
      want(&r, '[', "a list is wanted");
      for (int f = 1; next(&r, f); f = 0) read_parameter(&r, c);
    } else {
      skip(&r, 0);
    }
  }
  if (peek(&r)) bad(&r, "trailing data after the contract");
  if (schema != SCHEMA || !*c->name || !c->nentries)
    bad(&r, "not a contract of schema 1 with entry points");
  free((void*)text);
  return c;
}
