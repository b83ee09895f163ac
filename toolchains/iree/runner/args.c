// Arguments of the command line: by the contract, or with their types.
#include <stdio.h>
#include <string.h>

#include "runner.h"

static const char* file_name(const char* text) {
  const size_t n = strlen(text);
  if (*text == '@') return text + 1;
  return n > 4 && !strcmp(text + n - 4, ".npy") ? text : NULL;
}

static value read_value(const named* want, const char* text) {
  const char* path = file_name(text);
  if (!path) return text_parse(want->name, &want->type, text);
  value v = npy_read(path);
  if (!type_fits(&v.type, &want->type)) {
    fail("BACKEND_BAD_ARGUMENT", "%s: argument %s is %s, the file holds %s", path, want->name,
         type_text(&want->type), type_text(&v.type));
  }
  return v;
}

static const char* names(const entry* e) {
  static char text[1024];
  size_t n = 0;
  for (int k = 0; k < e->nargs && n < sizeof text; ++k) {
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", k ? ", " : "", e->args[k].name);
  }
  return e->nargs ? text : "none";
}

void args_by_contract(const entry* e, int count, const char* const* texts, value* args) {
  int given[MAX_VALUES] = {0};
  int at = 0;
  for (int i = 0; i < count; ++i) {
    const char* text = texts[i];
    const size_t n = strcspn(text, "=");
    int k = at;
    if (text[n]) {
      for (k = 0; k < e->nargs; ++k) {
        if (strlen(e->args[k].name) == n && !memcmp(e->args[k].name, text, n)) break;
      }
      if (k == e->nargs)
        fail("BACKEND_BAD_ARGUMENT", "%s: no argument is named %.*s; its arguments are %s", e->name,
             (int)(n < 200 ? n : 200), text, names(e));
      text += n + 1;
    } else {
      while (k < e->nargs && given[k]) ++k;
      if (k == e->nargs)
        fail("BACKEND_BAD_ARGUMENT", "%s: more than its %d arguments are given", e->name, e->nargs);
      at = k + 1;
    }
    if (given[k]++)
      fail("BACKEND_BAD_ARGUMENT", "%s: argument %s is given twice", e->name, e->args[k].name);
    args[k] = read_value(&e->args[k], text);
  }
  for (int k = 0; k < e->nargs; ++k) {
    if (given[k]) continue;
    fail("BACKEND_BAD_ARGUMENT", "%s: argument %s, %s, is not given", e->name, e->args[k].name,
         type_text(&e->args[k].type));
  }
}

void entries_print(const contract* c, const entry* only) {
  printf("\nEntry points of %s:\n", c->name);
  for (const entry* e = c->entries; e < c->entries + c->nentries; ++e) {
    if (only && e != only) continue;
    printf("  --entry=%s\n", e->name);
    for (int i = 0; i < e->nargs; ++i) {
      const int64_t n = type_elements(&e->args[i].type);
      printf("    takes %s: %s, ", e->args[i].name, type_text(&e->args[i].type));
      if (n < 0) {
        printf("a .npy file, which has its sizes\n");
      } else {
        printf("%lld element%s\n", (long long)n, n == 1 ? "" : "s");
      }
    }
    for (int i = 0; i < e->nresults; ++i)
      printf("    gives %s: %s\n", e->results[i].name, type_text(&e->results[i].type));
  }
}

value arg_typed(const char* text) {
  if (file_name(text)) return npy_read(file_name(text));
  named want = {.name = ""};
  const char* p = text;
  while (*p >= '0' && *p <= '9') {
    int64_t n = 0;
    const char* digit = p;
    for (; *digit >= '0' && *digit <= '9'; ++digit) {
      if (__builtin_mul_overflow(n, (int64_t)10, &n) ||
          __builtin_add_overflow(n, (int64_t)(*digit - '0'), &n)) {
        fail_usage("%s: a size is at most 2^63-1", text);
      }
    }
    if (*digit != 'x') break;
    if (want.type.rank == MAX_RANK) fail_usage("%s: more than %d dimensions", text, MAX_RANK);
    want.type.dims[want.type.rank++] = n;
    p = digit + 1;
  }
  const size_t n = strcspn(p, "=");
  want.type.element = element_named(p, n);
  if (!want.type.element || !p[n]) {
    fail_usage(
        "%s: without a contract an argument is a .npy file, or elements after their type, as in "
        "2xf32=1,2",
        text);
  }
  snprintf(want.name, sizeof want.name, "%.*s", (int)(p - text + (int)n), text);
  return text_parse(want.name, &want.type, p + n + 1);
}
