// A set of signals is the kernel's. Not once: each caller asks for other types.
#if defined(__NEED_sigset_t) && !defined(__DEFINED_sigset_t)
typedef unsigned long sigset_t;
#define __DEFINED_sigset_t
#endif
#include_next <bits/alltypes.h>
