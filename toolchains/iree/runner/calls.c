// Calls from the standard input, which share the program's state.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

// Takes a line apart in place: the entry point, arguments and outputs, each after a tab.
static call parse(char* line) {
  static const char kOutput[] = "--output=";
  call o = {.entry = line};
  for (char* tab = strchr(line, '\t'); tab; tab = strchr(tab, '\t')) {
    *tab++ = 0;
    const int output = !strncmp(tab, kOutput, sizeof kOutput - 1);
    int* n = output ? &o.noutputs : &o.nvalues;
    if (*n == MAX_VALUES) fail_usage("more than %d %s", MAX_VALUES, output ? "outputs" : "arguments");
    if (output) {
      o.outputs[o.noutputs++] = tab + sizeof kOutput - 1;
    } else {
      o.values[o.nvalues++] = tab;
    }
  }
  return o;
}

void calls_run(const options* given, const contract* c) {
  if (!c) fail_usage("--calls needs --contract");
  if (given->call.entry || given->call.nvalues || given->call.noutputs)
    fail_usage("--calls reads entry points, arguments and outputs from its lines; leave them out here");
  ireert_session* s = session_open(given, c);
  char* line = NULL;
  size_t room = 0;
  ssize_t n;
  while (errno = 0, (n = getline(&line, &room, stdin)) > 0) {
    if (line[n - 1] == '\n') line[--n] = 0;
    if (strlen(line) != (size_t)n) fail_usage("a line of --calls has a byte 0; write text");
    const call o = parse(line);
    const prepared p = call_prepare(given, c, &o);
    call_run(s, &o, &p);
    puts("done");
    if (fflush(stdout)) fail("FILE_WRITE", "the results cannot be printed");
  }
  if (ferror(stdin) || errno) fail("FILE_OPEN", "the standard input: cannot be read to its end");
  free(line);
  ireert_close(s);
}
