// errno has another place.
#pragma once
#include_next <errno.h>
#undef errno
#ifdef __cplusplus
extern "C"
#endif
int* __errno(void);
#define errno (*__errno())
