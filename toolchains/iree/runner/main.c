// The command line; runner.h says what the program is.
#include <stdio.h>
#include <string.h>

#include "runner.h"

static const char kUsage[] =
    "iree_runner PROGRAM.vmfb [--contract FILE] [--entry NAME] [--archive SCOPE=FILE.irpa]...\n"
    "            [--output RESULT=FILE.npy]... [ARGUMENT...]\n"
    "iree_runner PROGRAM.vmfb --contract FILE [--archive SCOPE=FILE.irpa]... --calls\n"
    "\n"
    "Calls one entry point of a program for CPUs and prints its results.\n"
    "\n"
    "ARGUMENT is NAME=VALUE, or VALUE for the next one in order. VALUE is FILE.npy,\n"
    "@FILE (a .npy whatever its name), or all elements in row-major order: 1,2,3.\n"
    "They are true, false, 1 or 0; integers such as 12 or 0x1f; or numbers such as\n"
    "-1.5, 1e-3, 0x1.8p-3, inf or nan. With --contract, --help lists the entry points.\n"
    "Without a contract, --entry is MODULE.FUNCTION, arguments have no names, elements\n"
    "need their type before them (2x3xf32=1,2,3,4,5,6), and results are result0 and on.\n"
    "--output writes a result in place of printing it.\n"
    "\n"
    "--calls reads calls from the standard input, one a line: the entry point, then its\n"
    "arguments and --output=RESULT=FILE.npy, each after a tab. They share the program's\n"
    "state. A line \"done\" follows the results of each; the first fault ends the runner.\n";

// Gives the value of an option, in "--name=value" or "--name value"; NULL for another one.
static const char* option(char** argv, int* i, const char* name) {
  const char* a = argv[*i];
  const size_t n = strlen(name);
  if (strncmp(a, name, n)) return NULL;
  if (a[n] == '=') return a + n + 1;
  if (a[n]) return NULL;
  if (!argv[*i + 1]) fail_usage("%s: a value is wanted after it", name);
  return argv[++*i];
}

static options parse(int argc, char** argv) {
  options o = {0};
  for (int i = 1; i < argc; ++i) {
    const char* v;
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
      o.help = 1;
    } else if (!strcmp(argv[i], "--calls")) {
      o.calls = 1;
    } else if ((v = option(argv, &i, "--contract"))) {
      o.contract = v;
    } else if ((v = option(argv, &i, "--entry"))) {
      o.call.entry = v;
    } else if ((v = option(argv, &i, "--archive"))) {
      if (o.narchives == MAX_ARCHIVES) fail_usage("more than %d archives", MAX_ARCHIVES);
      o.archives[o.narchives++] = v;
    } else if ((v = option(argv, &i, "--output"))) {
      if (o.call.noutputs == MAX_VALUES) fail_usage("more than %d outputs", MAX_VALUES);
      o.call.outputs[o.call.noutputs++] = v;
    } else if (!strncmp(argv[i], "--", 2)) {
      fail_usage("%s: unknown option; see --help", argv[i]);
    } else if (!o.program) {
      o.program = argv[i];
    } else {
      if (o.call.nvalues == MAX_VALUES) fail_usage("more than %d arguments", MAX_VALUES);
      o.call.values[o.call.nvalues++] = argv[i];
    }
  }
  if (!o.program && !o.help) fail_usage("no program is given; see --help");
  return o;
}

int main(int argc, char** argv) {
  const options o = parse(argc, argv);
  const contract* c = o.contract ? contract_read(o.contract) : NULL;
  if (o.help) {
    fputs(kUsage, stdout);
    if (c) entries_print(c, o.call.entry ? call_entry(c, &o.call) : NULL);
    if (fflush(stdout)) fail("FILE_WRITE", "the help cannot be printed");
    return 0;
  }
  if (o.calls) {
    calls_run(&o, c);
    return 0;
  }
  const prepared p = call_prepare(&o, c, &o.call);
  ireert_session* s = session_open(&o, c);
  call_run(s, &o.call, &p);
  ireert_close(s);
  if (fflush(stdout)) fail("FILE_WRITE", "the results cannot be printed");
  return 0;
}
