// The one line of a C library that IREE's header takes. A firmware with newlib or
// picolibc has this file from there.
#ifndef static_assert
#define static_assert _Static_assert
#endif
