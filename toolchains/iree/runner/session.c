// Opening a program, and what the runtime says of it.
#include <stdlib.h>
#include <string.h>

#include "runner.h"

char error_text[4096];

// Takes the positions in its sources out of what the runtime said, and line ends.
static void clean(void) {
  char* out = error_text;
  for (const char* p = error_text; *p;) {
    const size_t n = strcspn(p, " \n");
    const char* c = memchr(p, ':', n);
    // FILE.c:NUMBER:
    if (!c || c - p < 3 || c[-2] != '.' || c[1] < '0' || c[1] > '9') {
      if (n && out > error_text) *out++ = ' ';
      memmove(out, p, n);
      out += n;
    }
    p += n;
    p += strspn(p, " \n");
  }
  *out = 0;
}

// Fails with what the runtime said, and what to do (NULL for nothing).
void check(int32_t rc, const char* code, const char* where, const char* hint) {
  if (!rc) return;
  clean();
  fail(code, "%s: %s%s%s", where, error_text, hint ? "; " : "", hint ? hint : "");
}

// The same for an archive: the runtime says the code of a damaged one itself.
static void check_archive(int32_t rc, const char* path) {
  if (!rc) return;
  clean();
  char* text = strchr(error_text, ';');
  text = text ? text + 1 + (text[1] == ' ') : error_text;
  char* colon = strstr(text, ": ");
  if (colon && !strncmp(text, "IRPA_", 5)) {
    *colon = 0;
    fail(text, "%s: %s; copy the archive again, or pack it again", path, colon + 2);
  }
  if (strstr(error_text, "ALREADY_EXISTS;") == error_text)
    fail("IREE_PARAMETERS", "%s: %s; give each archive once, and one packing of the weights", path,
         text);
  check(rc, "IREE_PARAMETERS", path, "give the .irpa that was packed for the program");
}

// The same for a program: the runtime says the code of one for another processor itself.
static void check_program(int32_t rc, const char* path, const char* hint) {
  if (!rc) return;
  clean();
  const char* refused = strstr(error_text, "PROGRAM_CPU: ");
  if (refused) {
    fail("PROGRAM_CPU", "%s: %s; compile it for this processor", path,
         strchr(refused, ' ') + 1);
  }
  check(rc, "IREE_LOAD", path, hint);
}

ireert_session* session_open(const options* o, const contract* c) {
  ireert_session* s = NULL;
  for (int i = 0; i < o->narchives; ++i) {
    const size_t n = strcspn(o->archives[i], "=");
    if (!n || !o->archives[i][n] || n >= MAX_NAME)
      fail_usage("--archive %s is not of the form scope=file", o->archives[i]);
  }
  if (c) archives_check(c, o->narchives, o->archives);
  check(ireert_open("local-sync", NULL, 0, &s, error_text, sizeof error_text), "IREE_NO_DEVICE",
        "local-sync", "the runner was built without it");
  for (int i = 0; i < o->narchives; ++i) {
    const size_t n = strcspn(o->archives[i], "=");
    char scope[MAX_NAME];
    memcpy(scope, o->archives[i], n);
    scope[n] = 0;
    const char* path = o->archives[i] + n + 1;
    check_archive(ireert_params(s, scope, path, 0, error_text, sizeof error_text), path);
  }
  const char* hint = o->narchives ? archives_missing(o->narchives, o->archives)
                     : c          ? "it must be a whole .vmfb for this processor"
                                  : "it must be a whole .vmfb for this processor; one with "
                                    "parameters takes --archive SCOPE=FILE.irpa";
  check_program(ireert_load_file(s, o->program, error_text, sizeof error_text), o->program, hint);
  return s;
}

