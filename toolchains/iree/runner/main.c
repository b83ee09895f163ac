// The command line; runner.h says what the program is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

static const char kUsage[] =
    "iree_runner PROGRAM.vmfb [--contract FILE] [--entry NAME] [--archive SCOPE=FILE.irpa]...\n"
    "            [--output RESULT=FILE.npy]... [ARGUMENT...]\n"
    "\n"
    "Calls one entry point of a program for CPUs and prints its results.\n"
    "\n"
    "ARGUMENT is NAME=VALUE, or VALUE for the next one in order. VALUE is FILE.npy,\n"
    "@FILE (a .npy whatever its name), or all elements in row-major order: 1,2,3.\n"
    "They are true, false, 1 or 0; integers such as 12 or 0x1f; or numbers such as\n"
    "-1.5, 1e-3, 0x1.8p-3, inf or nan. With --contract, --help lists the entry points.\n"
    "Without a contract, --entry is MODULE.FUNCTION, arguments have no names, elements\n"
    "need their type before them (2x3xf32=1,2,3,4,5,6), and results are result0 and on.\n"
    "--output writes a result in place of printing it.\n";

typedef struct options {
  const char* program;
  const char* contract;
  const char* entry;
  const char* archives[MAX_ARCHIVES];
  int narchives;
  const char* outputs[MAX_VALUES];
  int noutputs;
  const char* values[MAX_VALUES];
  int nvalues;
  int help;
} options;

static char error_text[4096];

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
static void check(int32_t rc, const char* code, const char* where, const char* hint) {
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
    } else if ((v = option(argv, &i, "--contract"))) {
      o.contract = v;
    } else if ((v = option(argv, &i, "--entry"))) {
      o.entry = v;
    } else if ((v = option(argv, &i, "--archive"))) {
      if (o.narchives == MAX_ARCHIVES) fail_usage("more than %d archives", MAX_ARCHIVES);
      o.archives[o.narchives++] = v;
    } else if ((v = option(argv, &i, "--output"))) {
      if (o.noutputs == MAX_VALUES) fail_usage("more than %d outputs", MAX_VALUES);
      o.outputs[o.noutputs++] = v;
    } else if (!strncmp(argv[i], "--", 2)) {
      fail_usage("%s: unknown option; see --help", argv[i]);
    } else if (!o.program) {
      o.program = argv[i];
    } else {
      if (o.nvalues == MAX_VALUES) fail_usage("more than %d arguments", MAX_VALUES);
      o.values[o.nvalues++] = argv[i];
    }
  }
  if (!o.program && !o.help) fail_usage("no program is given; see --help");
  return o;
}

static const entry* pick(const contract* c, const options* o) {
  if (!o->entry && c->nentries == 1) return &c->entries[0];
  char names[1024] = "";
  for (int i = 0; i < c->nentries; ++i) {
    if (o->entry && !strcmp(c->entries[i].name, o->entry)) return &c->entries[i];
    const size_t n = strlen(names);
    snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", c->entries[i].name);
  }
  fail("CONTRACT_NO_ENTRY", "program %s has no entry point %s; it has %s", c->name,
       o->entry ? o->entry : "without a name", names);
}

// Gives the number of a result's file (output.c), or -1 for one that is printed.
static int output_of(const options* o, const char* name) {
  for (int i = 0; i < o->noutputs; ++i) {
    const size_t n = strcspn(o->outputs[i], "=");
    if (strlen(name) == n && !memcmp(name, o->outputs[i], n)) return i;
  }
  return -1;
}

static const char* result_name(const entry* e, int i) {
  static char name[MAX_NAME];
  snprintf(name, sizeof name, "result%d", i);
  return e ? e->results[i].name : name;
}

// Checks the files of results, before anything is run. A result may take the place of
// an argument, which it may go on from: that has been read by then.
static void add_outputs(const options* o) {
  const char* taken[MAX_ARCHIVES + 2 + MAX_VALUES] = {o->program, o->contract};
  int ntaken = o->contract ? 2 : 1;
  for (int i = 0; i < o->narchives; ++i) {
    const char* path = strchr(o->archives[i], '=');
    if (path) taken[ntaken++] = path + 1;
  }
  for (int i = 0; i < o->noutputs; ++i) {
    const char* equals = strchr(o->outputs[i], '=');
    if (!equals || equals == o->outputs[i] || !equals[1])
      fail_usage("--output %s is not of the form result=file.npy", o->outputs[i]);
    const int n = (int)(equals - o->outputs[i]);
    for (int k = 0; k < i; ++k) {
      if (!strncmp(o->outputs[k], o->outputs[i], (size_t)n + 1))
        fail_usage("--output %s is a second file for this result; give one, and copy it",
                   o->outputs[i]);
    }
    for (int k = 0; k < ntaken; ++k) {
      if (same_file(taken[k], equals + 1))
        fail_usage("--output %s: this file is read or written too, and would be replaced; "
                   "give the output another name",
                   o->outputs[i]);
    }
    taken[ntaken++] = equals + 1;
    output_add(equals + 1);
  }
}

static void check_outputs(const options* o, const entry* e, int nresults) {
  for (int i = 0; i < o->noutputs; ++i) {
    int found = 0;
    for (int k = 0; k < nresults; ++k) found |= output_of(o, result_name(e, k)) == i;
    if (found) continue;
    char text[1024] = "none";
    size_t n = 0;
    for (int k = 0; k < nresults && n < sizeof text; ++k)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", k ? ", " : "", result_name(e, k));
    fail_usage("--output %s names no result; the results are %s", o->outputs[i], text);
  }
}

static ireert_session* open_session(const options* o, const contract* c) {
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

static void show(ireert_session* s, const options* o, const entry* e, int i, ireert_tensor* t) {
  const char* name = result_name(e, i);
  value v = {.type = {.element = element_of_iree(t->dtype), .rank = t->rank}, .nbytes = t->nbytes};
  if (!v.type.element)
    fail("IREE_CALL", "result %s has the element type %08x, which is not supported", name,
         t->dtype);
  memcpy(v.type.dims, t->dims, sizeof v.type.dims);
  if (type_bytes(&v.type) != t->nbytes)
    fail("IREE_CALL", "result %s: %lld bytes do not fit %s", name, (long long)t->nbytes,
         type_text(&v.type));
  if (e && !type_fits(&v.type, &e->results[i].type)) {
    fail("IREE_CALL", "result %s is %s, the contract says %s; the program does not match the contract", name,
         type_text(&v.type), type_text(&e->results[i].type));
  }
  v.data = take((size_t)v.nbytes);
  check(ireert_read(s, t->handle, 0, v.data, v.nbytes, error_text, sizeof error_text), "IREE_CALL",
        name, "the device is lost");
  const int output = output_of(o, name);
  if (output >= 0) {
    npy_write(output, strchr(o->outputs[output], '=') + 1, &v);
  } else {
    text_print(name, &v);
  }
  free(v.data);
  ireert_release(t->handle);
}

int main(int argc, char** argv) {
  const options o = parse(argc, argv);
  const contract* c = NULL;
  const entry* e = NULL;
  char function[2 * MAX_NAME + 2];
  static value args[MAX_VALUES];
  int nargs = o.nvalues;
  if (o.contract) c = contract_read(o.contract);
  if (o.help) {
    fputs(kUsage, stdout);
    if (c) entries_print(c, o.entry ? pick(c, &o) : NULL);
    if (fflush(stdout)) fail("FILE_WRITE", "the help cannot be printed");
    return 0;
  }
  if (c) {
    e = pick(c, &o);
    snprintf(function, sizeof function, "%s.%s", c->name, e->name);
    args_by_contract(e, o.nvalues, o.values, args);
    nargs = e->nargs;
  } else {
    if (!o.entry || strlen(o.entry) >= sizeof function)
      fail_usage("give --contract, or --entry MODULE.FUNCTION; see --help");
    snprintf(function, sizeof function, "%s", o.entry);
    for (int i = 0; i < nargs; ++i) args[i] = arg_typed(o.values[i]);
  }
  add_outputs(&o);
  if (e) check_outputs(&o, e, e->nresults);

  const char* const other =
      c ? "the contract and the program must come from the same export" : NULL;
  ireert_session* s = open_session(&o, c);
  int32_t func = 0, wants = 0, gives = 0;
  check(ireert_func(s, function, &func, error_text, sizeof error_text), "IREE_CALL", function,
        c ? other : "--entry is MODULE.FUNCTION");
  check(ireert_arity(s, func, &wants, &gives, error_text, sizeof error_text), "IREE_CALL", function,
        other);
  if (wants != nargs || gives > MAX_VALUES || (e && gives != e->nresults)) {
    fail("IREE_CALL",
         "%s takes %d arguments and gives %d results; %d arguments are given, %d results expected",
         function, wants, gives, nargs, e ? e->nresults : gives);
  }
  if (!e) check_outputs(&o, e, gives);
  static ireert_tensor ins[MAX_VALUES], outs[MAX_VALUES];
  for (int i = 0; i < nargs; ++i) {
    ins[i].data = args[i].data;
    ins[i].nbytes = args[i].nbytes;
    ins[i].dtype = args[i].type.element->iree;
    ins[i].rank = args[i].type.rank;
    memcpy(ins[i].dims, args[i].type.dims, sizeof ins[i].dims);
  }
  for (int i = 0; i < gives; ++i) outs[i].flags = IREERT_KEEP;
  check(ireert_call(s, func, ins, nargs, outs, gives, error_text, sizeof error_text), "IREE_CALL",
        function, c ? other : "arguments have the types that the program was exported with");
  for (int i = 0; i < gives; ++i) {
    if (!outs[i].handle) fail("IREE_CALL", "%s: result %d is not a tensor", function, i);
    show(s, &o, e, i, &outs[i]);
  }
  outputs_place();
  ireert_close(s);
  if (fflush(stdout)) fail("FILE_WRITE", "the results cannot be printed");
  return 0;
}
