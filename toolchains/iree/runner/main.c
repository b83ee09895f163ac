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
    "Without a contract, --entry is MODULE.FUNCTION, arguments have no names, elements\n"
    "need their type before them (2x3xf32=1,2,3,4,5,6), and results are result0 and on.\n"
    "--output writes a result in place of printing it.\n";

enum { MAX_ARCHIVES = 8 };

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
} options;

static char error_text[4096];

// Fails with what the runtime said, without the positions in its sources.
static void check(int32_t rc, const char* code, const char* where) {
  if (!rc) return;
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
  fail(code, "%s: %s", where, error_text);
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
      fputs(kUsage, stdout);
      exit(0);
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
      fail_usage("%s: there is no such option; see --help", argv[i]);
    } else if (!o.program) {
      o.program = argv[i];
    } else {
      if (o.nvalues == MAX_VALUES) fail_usage("more than %d arguments", MAX_VALUES);
      o.values[o.nvalues++] = argv[i];
    }
  }
  if (!o.program) fail_usage("no program is given; see --help");
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

// Reads the arguments by the contract.
static void read_by_contract(const entry* e, const options* o, value* args) {
  int given[MAX_VALUES] = {0};
  int at = 0;
  for (int i = 0; i < o->nvalues; ++i) {
    const char* text = o->values[i];
    const size_t n = strcspn(text, "=");
    int k = at;
    if (text[n]) {
      for (k = 0; k < e->nargs; ++k) {
        if (strlen(e->args[k].name) == n && !memcmp(e->args[k].name, text, n)) break;
      }
      if (k == e->nargs)
        fail("BACKEND_BAD_ARGUMENT", "%s: no argument is named %.*s", e->name,
             (int)(n < 200 ? n : 200), text);
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

// Reads "2x3xf32=1,2,..." or a file.
static value read_typed(const char* text) {
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

// Checks the names of the results to write, before anything is run.
static const char* output_of(const options* o, const char* name) {
  for (int i = 0; i < o->noutputs; ++i) {
    const size_t n = strcspn(o->outputs[i], "=");
    if (strlen(name) == n && !memcmp(name, o->outputs[i], n)) return o->outputs[i] + n + 1;
  }
  return NULL;
}

static void check_outputs(const options* o, const entry* e) {
  for (int i = 0; i < o->noutputs; ++i) {
    const size_t n = strcspn(o->outputs[i], "=");
    if (!o->outputs[i][n] || !o->outputs[i][n + 1])
      fail_usage("--output %s is not of the form result=file.npy", o->outputs[i]);
    int found = !e;
    for (int k = 0; e && k < e->nresults; ++k)
      found |= output_of(o, e->results[k].name) == o->outputs[i] + n + 1;
    if (!found)
      fail_usage("--output %s names no result of %s, or one that another names", o->outputs[i],
                 e->name);
  }
}

static ireert_session* open_session(const options* o) {
  ireert_session* s = NULL;
  check(ireert_open("local-sync", NULL, 0, &s, error_text, sizeof error_text), "IREE_NO_DEVICE",
        "local-sync");
  for (int i = 0; i < o->narchives; ++i) {
    const size_t n = strcspn(o->archives[i], "=");
    if (!n || !o->archives[i][n] || n >= MAX_NAME)
      fail_usage("--archive %s is not of the form scope=file", o->archives[i]);
    char scope[MAX_NAME];
    memcpy(scope, o->archives[i], n);
    scope[n] = 0;
    check(ireert_params(s, scope, o->archives[i] + n + 1, 0, error_text, sizeof error_text),
          "IREE_PARAMETERS", o->archives[i] + n + 1);
  }
  check(ireert_load_file(s, o->program, error_text, sizeof error_text), "IREE_LOAD", o->program);
  return s;
}

static void show(ireert_session* s, const options* o, const entry* e, int i, ireert_tensor* t) {
  char name[MAX_NAME];
  snprintf(name, sizeof name, "result%d", i);
  if (e) snprintf(name, sizeof name, "%s", e->results[i].name);
  value v = {.type = {.element = element_of_iree(t->dtype), .rank = t->rank}, .nbytes = t->nbytes};
  if (!v.type.element)
    fail("IREE_CALL", "result %s has the element type %08x, which has no name here", name,
         t->dtype);
  memcpy(v.type.dims, t->dims, sizeof v.type.dims);
  if (type_bytes(&v.type) != t->nbytes)
    fail("IREE_CALL", "result %s: %lld bytes do not fit %s", name, (long long)t->nbytes,
         type_text(&v.type));
  if (e && !type_fits(&v.type, &e->results[i].type)) {
    fail("IREE_CALL", "result %s is %s, the contract says %s; the program is another one's", name,
         type_text(&v.type), type_text(&e->results[i].type));
  }
  v.data = take((size_t)v.nbytes);
  check(ireert_read(s, t->handle, 0, v.data, v.nbytes, error_text, sizeof error_text), "IREE_CALL",
        name);
  const char* path = output_of(o, name);
  if (path) {
    npy_write(path, &v);
  } else {
    text_print(name, &v);
  }
  free(v.data);
  ireert_release(t->handle);
}

int main(int argc, char** argv) {
  const options o = parse(argc, argv);
  const entry* e = NULL;
  char function[2 * MAX_NAME + 2];
  static value args[MAX_VALUES];
  int nargs = o.nvalues;
  if (o.contract) {
    const contract* c = contract_read(o.contract);
    e = pick(c, &o);
    snprintf(function, sizeof function, "%s.%s", c->name, e->name);
    read_by_contract(e, &o, args);
    nargs = e->nargs;
  } else {
    if (!o.entry || strlen(o.entry) >= sizeof function)
      fail_usage("give --contract, or --entry MODULE.FUNCTION; see --help");
    snprintf(function, sizeof function, "%s", o.entry);
    for (int i = 0; i < nargs; ++i) args[i] = read_typed(o.values[i]);
  }
  check_outputs(&o, e);

  ireert_session* s = open_session(&o);
  int32_t func = 0, wants = 0, gives = 0;
  check(ireert_func(s, function, &func, error_text, sizeof error_text), "IREE_CALL", function);
  check(ireert_arity(s, func, &wants, &gives, error_text, sizeof error_text), "IREE_CALL",
        function);
  if (wants != nargs || gives > MAX_VALUES || (e && gives != e->nresults)) {
    fail("IREE_CALL",
         "%s takes %d arguments and gives %d results; %d arguments are given, %d results expected",
         function, wants, gives, nargs, e ? e->nresults : gives);
  }
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
        function);
  for (int i = 0; i < gives; ++i) {
    if (!outs[i].handle) fail("IREE_CALL", "%s: result %d is no tensor", function, i);
    show(s, &o, e, i, &outs[i]);
  }
  ireert_close(s);
  if (fflush(stdout)) fail("FILE_WRITE", "the results cannot be printed");
  return 0;
}
