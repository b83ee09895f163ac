// A failed assertion is reported by another function. Not once: NDEBUG may change.
#include_next <assert.h>
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert2(__FILE__, __LINE__, __func__, #e))
#endif
#ifdef __cplusplus
extern "C"
#endif
_Noreturn void __assert2(const char*, int, const char*, const char*);
