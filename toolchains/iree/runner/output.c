// The files that results go to. All are written beside their places before the first
// takes its place, so that no older file is touched when one cannot be written; what
// was begun is removed when the runner ends with a fault or is ended by a signal.
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner.h"

typedef struct pending {
  const char* path;  // as it was named
  char* target;      // what a link points to
  char* partial;     // NULL until it is made
} pending;

static pending files[MAX_VALUES];
static int nfiles;

static void discard(void) {
  for (int i = 0; i < nfiles; ++i) {
    if (files[i].partial) unlink(files[i].partial);
  }
}

static const int kSignals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};
enum { SIGNALS = sizeof kSignals / sizeof *kSignals };

static pthread_t main_thread;

static void discard_and_end(int number) {
  // The runtime has threads, which hold no signal back: the list is the main thread's.
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, number);
    return;
  }
  discard();
  signal(number, SIG_DFL);
  raise(number);
}

// Has what was begun removed however the runner ends.
static void watch(void) {
  static int watched;
  if (watched++) return;
  atexit(discard);
  main_thread = pthread_self();
  // A file over the limit fails to be written, which is a fault as others are.
  signal(SIGXFSZ, SIG_IGN);
  for (int i = 0; i < SIGNALS; ++i) {
    if (signal(kSignals[i], discard_and_end) == SIG_IGN) signal(kSignals[i], SIG_IGN);
  }
}

// Holds these signals back while the list and the folder differ.
static void hold(int how) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < SIGNALS; ++i) sigaddset(&set, kSignals[i]);
  sigprocmask(how, &set, NULL);
}

static char* copy(const char* text, size_t n) {
  char* out = take(n + 1);
  memcpy(out, text, n);
  out[n] = 0;
  return out;
}

// The folder of a path, and the name in it; 0 where there is no such folder.
static int folder_of(const char* path, struct stat* st, const char** name) {
  const char* slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  char* folder = slash ? copy(path, (size_t)(slash - path + 1)) : copy(".", 1);
  const int ok = !stat(folder, st);
  free(folder);
  return ok;
}

int same_file(const char* a, const char* b) {
  struct stat x, y;
  const int here = !stat(a, &x), there = !stat(b, &y);
  const char *p = "", *q = "";
  if (here != there) return 0;
  // Files that are not there yet are the same by folder and name.
  if (!here && (!folder_of(a, &x, &p) || !folder_of(b, &y, &q))) return 0;
  return x.st_dev == y.st_dev && x.st_ino == y.st_ino && !strcmp(p, q);
}

static const char* kind(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "something special";
}

int output_add(const char* path) {
  struct stat st;
  const int there = !stat(path, &st);
  if (there && !S_ISREG(st.st_mode)) {
    fail("FILE_WRITE", "%s: this is %s and no file, and is not replaced; name a file", path,
         kind(st.st_mode));
  }
  struct stat printed;
  for (int fd = STDOUT_FILENO; there && fd <= STDERR_FILENO; ++fd) {
    if (fstat(fd, &printed) || printed.st_dev != st.st_dev || printed.st_ino != st.st_ino) continue;
    fail("FILE_WRITE", "%s: what is printed goes to this file, and would be lost; name another",
         path);
  }
  // A link stays, and the file that it points to is replaced.
  const int link = !lstat(path, &st) && S_ISLNK(st.st_mode);
  if (link && !there) fail("FILE_WRITE", "%s: a link to nothing; name the file itself", path);
  char* target = link ? realpath(path, NULL) : copy(path, strlen(path));
  if (!target) fail("FILE_WRITE", "%s: the link cannot be followed; name the file itself", path);
  if (!nfiles) watch();
  files[nfiles] = (pending){path, target, NULL};
  return nfiles++;
}

FILE* output_begin(int i) {
  // A name of its own, made anew: whatever lies there already is not followed. It is
  // short, as the file's own may be as long as a name can be.
  static const char kName[] = ".partial-XXXXXX";
  const char* slash = strrchr(files[i].target, '/');
  const size_t folder = slash ? (size_t)(slash - files[i].target) + 1 : 0;
  char* name = take(folder + sizeof kName);
  memcpy(name, files[i].target, folder);
  memcpy(name + folder, kName, sizeof kName);
  hold(SIG_BLOCK);
  const int fd = mkstemp(name);
  if (fd >= 0) files[i].partial = name;
  hold(SIG_UNBLOCK);
  FILE* f = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!f) {
    fail("FILE_WRITE", "%s: cannot be made; check the folder and its rights", files[i].path);
  }
  // The rights of the file that it replaces, or those of any new one.
  struct stat st;
  const mode_t mask = umask(0);
  umask(mask);
  const mode_t mode = stat(files[i].target, &st) ? 0666 & ~mask : st.st_mode & 0777;
  if (fchmod(fd, mode)) fail("FILE_WRITE", "%s: cannot be made", files[i].path);
  return f;
}

void outputs_place(void) {
  for (int i = 0; i < nfiles; ++i) {
    if (!files[i].partial) continue;
    hold(SIG_BLOCK);
    if (rename(files[i].partial, files[i].target)) {
      fail("FILE_WRITE", "%s: cannot be written; check the folder and its rights", files[i].path);
    }
    free(files[i].partial);
    files[i].partial = NULL;
    hold(SIG_UNBLOCK);
  }
  hold(SIG_BLOCK);
  for (int i = 0; i < nfiles; ++i) free(files[i].target);
  nfiles = 0;
  hold(SIG_UNBLOCK);
}
