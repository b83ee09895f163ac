// One call: its arguments and files, before anything is loaded, and then the call.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

const entry* call_entry(const contract* c, const call* o) {
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
static int output_of(const call* o, const char* name) {
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
static void add_outputs(const options* given, const call* o) {
  const char* taken[MAX_ARCHIVES + 2 + MAX_VALUES] = {given->program, given->contract};
  int ntaken = given->contract ? 2 : 1;
  for (int i = 0; i < given->narchives; ++i) {
    const char* path = strchr(given->archives[i], '=');
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

static void check_outputs(const call* o, const entry* e, int nresults) {
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

prepared call_prepare(const options* given, const contract* c, const call* o) {
  prepared p = {.nargs = o->nvalues};
  p.args = take(MAX_VALUES * sizeof *p.args);
  memset(p.args, 0, MAX_VALUES * sizeof *p.args);
  if (c) {
    p.entry = call_entry(c, o);
    snprintf(p.function, sizeof p.function, "%s.%s", c->name, p.entry->name);
    args_by_contract(p.entry, o->nvalues, o->values, p.args);
    p.nargs = p.entry->nargs;
  } else {
    if (!o->entry || strlen(o->entry) >= sizeof p.function)
      fail_usage("give --contract, or --entry MODULE.FUNCTION; see --help");
    snprintf(p.function, sizeof p.function, "%s", o->entry);
    for (int i = 0; i < p.nargs; ++i) p.args[i] = arg_typed(o->values[i]);
  }
  add_outputs(given, o);
  if (p.entry) check_outputs(o, p.entry, p.entry->nresults);
  return p;
}

static void show(ireert_session* s, const call* o, const entry* e, int i, ireert_tensor* t) {
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

// Finds the function of a call. A session counts its look-ups, so those of entry points
// are made once.
static int32_t function_of(ireert_session* s, const prepared* p, const char* hint) {
  static const entry* known[MAX_ENTRIES];
  static int32_t functions[MAX_ENTRIES];
  static int n = 0;
  for (int i = 0; i < n; ++i) {
    if (known[i] == p->entry) return functions[i];
  }
  int32_t func = 0;
  check(ireert_func(s, p->function, &func, error_text, sizeof error_text), "IREE_CALL", p->function,
        hint);
  if (n < MAX_ENTRIES) {
    known[n] = p->entry;
    functions[n++] = func;
  }
  return func;
}

void call_run(ireert_session* s, const call* o, const prepared* p) {
  const entry* e = p->entry;
  const char* const other = e ? "the contract and the program must come from the same export" : NULL;
  int32_t wants = 0, gives = 0;
  const int32_t func = function_of(s, p, e ? other : "--entry is MODULE.FUNCTION");
  check(ireert_arity(s, func, &wants, &gives, error_text, sizeof error_text), "IREE_CALL",
        p->function, other);
  if (wants != p->nargs || gives > MAX_VALUES || (e && gives != e->nresults)) {
    fail("IREE_CALL",
         "%s takes %d arguments and gives %d results; %d arguments are given, %d results expected",
         p->function, wants, gives, p->nargs, e ? e->nresults : gives);
  }
  if (!e) check_outputs(o, e, gives);
  static ireert_tensor ins[MAX_VALUES], outs[MAX_VALUES];
  memset(ins, 0, sizeof ins);
  memset(outs, 0, sizeof outs);
  for (int i = 0; i < p->nargs; ++i) {
    ins[i].data = p->args[i].data;
    ins[i].nbytes = p->args[i].nbytes;
    ins[i].dtype = p->args[i].type.element->iree;
    ins[i].rank = p->args[i].type.rank;
    memcpy(ins[i].dims, p->args[i].type.dims, sizeof ins[i].dims);
  }
  for (int i = 0; i < gives; ++i) outs[i].flags = IREERT_KEEP;
  check(ireert_call(s, func, ins, p->nargs, outs, gives, error_text, sizeof error_text),
        "IREE_CALL", p->function,
        e ? other : "arguments have the types that the program was exported with");
  for (int i = 0; i < p->nargs; ++i) free(p->args[i].data);
  free(p->args);
  for (int i = 0; i < gives; ++i) {
    if (!outs[i].handle) fail("IREE_CALL", "%s: result %d is not a tensor", p->function, i);
    show(s, o, e, i, &outs[i]);
  }
  outputs_place();
}
