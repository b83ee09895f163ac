// iree_runner: calls of a compiled program from the command line of a board.
//
// Archives, contracts, .npy files and the command line are untrusted: a fault ends
// the process with one line, "iree_runner: CODE: where: what", and exit status 1, or
// 2 for a mistake on the command line. The codes are those of the Go packages, which
// read the same files. A program is code, and trusted like any executable that is run:
// one that is cut short is refused, one that is damaged otherwise can do anything.
#ifndef SKAINET_IREE_RUNNER_H_
#define SKAINET_IREE_RUNNER_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ireert.h"

enum {
  MAX_RANK = IREERT_MAX_RANK,
  MAX_VALUES = 256,
  MAX_ENTRIES = 64,
  MAX_SCOPES = 8,
  MAX_ARCHIVES = 256,  // those of a scope may be many
  MAX_NAME = 128,
};

// DYNAMIC is a dimension whose size the call decides.
#define DYNAMIC (-1)

typedef struct element {
  const char* name;   // "f32"
  const char* numpy;  // "f4", or "" where NumPy has none
  int32_t iree;
  int32_t bytes;
  char kind;  // f, i, u, b
} element;

typedef struct tensor_type {
  const element* element;
  int32_t rank;
  int64_t dims[MAX_RANK];
} tensor_type;

typedef struct value {
  tensor_type type;
  unsigned char* data;
  int64_t nbytes;
} value;

typedef struct named {
  char name[MAX_NAME];
  tensor_type type;
} named;

typedef struct entry {
  char name[MAX_NAME];
  named* args;
  int nargs;
  named* results;
  int nresults;
} entry;

typedef struct scope {
  char name[MAX_NAME];
  int parameters;
} scope;

typedef struct contract {
  char name[MAX_NAME];
  entry entries[MAX_ENTRIES];
  int nentries;
  scope scopes[MAX_SCOPES];
  int nscopes;
} contract;

// What a call is made of: the entry point, its arguments, and the files of its results.
typedef struct call {
  const char* entry;
  const char* values[MAX_VALUES];
  int nvalues;
  const char* outputs[MAX_VALUES];
  int noutputs;
} call;

// The command line.
typedef struct options {
  const char* program;
  const char* contract;
  const char* archives[MAX_ARCHIVES];
  int narchives;
  call call;
  int calls;
  int help;
} options;

// A call whose arguments are read.
typedef struct prepared {
  const entry* entry;  // NULL without a contract
  char function[2 * MAX_NAME + 2];
  value* args;
  int nargs;
} prepared;

// fail.c

// Ends the process: "iree_runner: CODE: what", made printable.
_Noreturn void fail(const char* code, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// The same for a mistake on the command line: exit status 2.
_Noreturn void fail_usage(const char* format, ...) __attribute__((format(printf, 1, 2)));
// malloc and realloc that do not return NULL.
void* take(size_t n);
void* retake(void* p, size_t n);
// Opens a regular file for reading.
FILE* open_file(const char* path);
// Reads n bytes, fewer only where the file ends and at most `most`, into memory
// that grows with what is read. A NUL follows them.
unsigned char* read_at_most(FILE* f, const char* path, int64_t most, int64_t* n);

// session.c

// Opens the program with its archives.
ireert_session* session_open(const options* o, const contract* c);
// What the runtime says of a call that failed.
extern char error_text[4096];
// Fails with it, and what to do (NULL for nothing), unless rc is 0.
void check(int32_t rc, const char* code, const char* where, const char* hint);

// call.c

// Gives the entry point that a call names, or the only one.
const entry* call_entry(const contract* c, const call* o);
// Reads the arguments and declares the files of results (output.c).
prepared call_prepare(const options* given, const contract* c, const call* o);
// Calls the program, and prints or writes the results; the arguments are freed.
void call_run(ireert_session* s, const call* o, const prepared* p);

// calls.c

// Makes the calls of the standard input, until its end.
void calls_run(const options* given, const contract* c);

// type.c

const element* element_named(const char* name, size_t n);
const element* element_of_iree(int32_t iree);
// Bytes of a type without dynamic dimensions; -1 where they overflow.
int64_t type_bytes(const tensor_type* type);
int64_t type_elements(const tensor_type* type);
// "f32[2x?]", in one of a few static buffers.
const char* type_text(const tensor_type* type);
// Whether a value of type have may be passed where want is asked.
int type_fits(const tensor_type* have, const tensor_type* want);

// args.c

// Reads count arguments, NAME=VALUE or VALUE, into the places that the entry point has
// for them; all are given.
void args_by_contract(const entry* e, int count, const char* const* texts, value* args);
// Lists the arguments and results of all entry points, or of the one that is given.
void entries_print(const contract* c, const entry* only);
// Reads "2x3xf32=1,2,..." or a file.
value arg_typed(const char* text);

// npy.c

value npy_read(const char* path);
// Writes an output (output.c) of this path.
void npy_write(int output, const char* path, const value* v);

// output.c

// Whether two paths are of one file, or would be.
int same_file(const char* a, const char* b);
// Declares a file that a result goes to, at most MAX_VALUES of them; gives its
// number. It is a regular file, or not there yet.
int output_add(const char* path);
// Opens what takes the file's place in outputs_place.
FILE* output_begin(int output);
void outputs_place(void);

// number.c

// Parses the n bytes of one element, which the text of a list goes on behind, and stores
// its little-endian bytes; 0 for what is none, or more than the type can hold.
int number_parse(const element* e, const char* word, size_t n, unsigned char* out);
// How elements of a type are written, as in "write true, false, 1 or 0".
const char* number_forms(const element* e);
// The value of an f16 or bf16.
float number_of_half(const element* e, uint16_t half);

// text.c

// Parses "1,2,3": all elements in row-major order.
value text_parse(const char* name, const tensor_type* type, const char* text);
// Prints "name: f32[2] = [1 2]"; of more than 64 elements the first.
void text_print(const char* name, const value* v);

// archives.c

// Compares the scopes of the program's parameters with those of the archives.
void archives_check(const contract* c, int count, const char* const* archives);
// What to do where a program cannot be loaded with the archives, such as to give the parts
// of one that is split.
const char* archives_missing(int count, const char* const* archives);

// contract.c

contract* contract_read(const char* path);

#endif  // SKAINET_IREE_RUNNER_H_
