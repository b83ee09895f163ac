// What Android adds.
#pragma once
#include_next <pthread.h>
#ifdef __cplusplus
extern "C"
#endif
pid_t pthread_gettid_np(pthread_t);
