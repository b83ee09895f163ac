// The members of sigaction have another order.
#pragma once
#define sigaction musl_sigaction
#include_next <signal.h>
#undef sa_handler
#undef sa_sigaction
#undef sigaction
#ifdef __cplusplus
extern "C" {
#endif
struct sigaction {
  int sa_flags;
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t*, void*);
  };
  sigset_t sa_mask;
  void (*sa_restorer)(void);
};
int sigaction(int, const struct sigaction*, struct sigaction*);
#ifdef __cplusplus
}
#endif
