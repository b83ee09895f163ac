// Archives of the command line, each as scope=file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

void archives_check(const contract* c, int count, const char* const* archives) {
  for (int i = 0; i < count; ++i) {
    const size_t n = strcspn(archives[i], "=");
    int k = 0;
    while (k < c->nscopes &&
           (strlen(c->scopes[k].name) != n || memcmp(c->scopes[k].name, archives[i], n)))
      ++k;
    if (k < c->nscopes) continue;
    if (!c->nscopes)
      fail("IREE_PARAMETERS", "%.*s: program %s takes no parameters; leave --archive out", (int)n,
           archives[i], c->name);
    fail("IREE_PARAMETERS", "%.*s: program %s has no parameters of this scope; it has some of %s",
         (int)n, archives[i], c->name, c->scopes[0].name);
  }
  for (int k = 0; k < c->nscopes; ++k) {
    const size_t n = strlen(c->scopes[k].name);
    int i = 0;
    while (i < count &&
           (strncmp(archives[i], c->scopes[k].name, n) || archives[i][n] != '='))
      ++i;
    if (i == count)
      fail("IREE_PARAMETERS",
           "%s: program %s needs %d parameters of this scope, but no archive was given for it; "
           "give --archive %s=FILE.irpa",
           c->scopes[k].name, c->name, c->scopes[k].parameters, c->scopes[k].name);
  }
}

// What a part has behind its name: "-00001-of-00003".
enum { PART = 15 };

// Gives the end of a part's name, or NULL for an archive that is none.
static const char* part_name(const char* archive) {
  const char* dot = strrchr(archive, '.');
  if (!dot || dot - archive < PART) return NULL;
  const char* p = dot - PART;
  for (int i = 0; i < PART; ++i) {
    const char want = "-00000-of-00000"[i];
    if (want == '0' ? p[i] < '0' || p[i] > '9' : p[i] != want) return NULL;
  }
  return p;
}

const char* archives_missing(int count, const char* const* archives) {
  char text[1024] = "";
  int missing = 0;
  for (int i = 0; i < count && !missing; ++i) {
    const char* const name = part_name(archives[i]);
    const int of = name ? atoi(name + 10) : 0;
    for (int part = 1; part <= of; ++part) {
      char number[12];
      snprintf(number, sizeof number, "%05d", part);
      int k = 0;
      while (k < count && (strncmp(archives[k], archives[i], (size_t)(name + 1 - archives[i])) ||
                           strncmp(archives[k] + (name + 1 - archives[i]), number, 5) ||
                           strcmp(archives[k] + (name + 6 - archives[i]), name + 6)))
        ++k;
      if (k < count || missing++) continue;
      const char* path = strchr(archives[i], '=') + 1;
      snprintf(text, sizeof text, "%.*s%s%s", (int)(name + 1 - path), path, number, name + 6);
    }
  }
  if (!missing)
    return "it must be a whole .vmfb for this processor, and the archives those that were packed "
           "for it";
  static char hint[1200];
  snprintf(hint, sizeof hint,
           "give all parts of the archive; %d %s not given, the first of them %s", missing,
           missing == 1 ? "is" : "are", text);
  return hint;
}
