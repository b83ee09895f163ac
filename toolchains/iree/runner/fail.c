// Faults, memory, files.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runner.h"

// Names come from files and from the command line: what is not printable ASCII
// is shown as \xNN, so that the message stays one line.
static void say(const char* code, const char* format, va_list args) {
  static char text[2048];
  vsnprintf(text, sizeof text, format, args);
  fprintf(stderr, "iree_runner: %s: ", code);
  for (const char* p = text; *p; ++p) {
    if (*p >= ' ' && *p < 0x7f) {
      fputc(*p, stderr);
    } else {
      fprintf(stderr, "\\x%02x", (unsigned char)*p);
    }
  }
  fputc('\n', stderr);
}

void fail(const char* code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  say(code, format, args);
  va_end(args);
  exit(1);
}

void fail_usage(const char* format, ...) {
  va_list args;
  va_start(args, format);
  say("USAGE", format, args);
  va_end(args);
  exit(2);
}

void* take(size_t n) { return retake(NULL, n); }

void* retake(void* p, size_t n) {
  p = realloc(p, n ? n : 1);
  if (!p) fail("MEMORY", "%zu bytes cannot be had", n);
  return p;
}

FILE* open_file(const char* path) {
  struct stat st;
  // Before it is opened: opening a pipe would wait for a writer.
  if (stat(path, &st)) fail("FILE_OPEN", "%s: there is no such file; check the path", path);
  if (!S_ISREG(st.st_mode)) fail("FILE_OPEN", "%s: not a regular file", path);
  FILE* f = fopen(path, "rb");
  if (!f) fail("FILE_OPEN", "%s: cannot be opened; check its rights", path);
  return f;
}

unsigned char* read_at_most(FILE* f, const char* path, int64_t most, int64_t* n) {
  unsigned char* data = take(1);
  int64_t have = 0, room = 0;
  while (have < most) {
    if (have == room) {
      room = room ? room * 2 : 1 << 16;
      if (room > most) room = most;
      data = retake(data, (size_t)room + 1);
    }
    const size_t got = fread(data + have, 1, (size_t)(room - have), f);
    if (!got) break;
    have += (int64_t)got;
  }
  if (ferror(f)) fail("FILE_OPEN", "%s: cannot be read to its end", path);
  data[have] = 0;
  *n = have;
  return data;
}
