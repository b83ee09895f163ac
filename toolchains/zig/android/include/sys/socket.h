// Lengths in messages are of the size that the kernel has them in.
#pragma once
#define cmsghdr musl_cmsghdr
#define mmsghdr musl_mmsghdr
#define msghdr musl_msghdr
#define recvmmsg musl_recvmmsg
#define recvmsg musl_recvmsg
#define sendmmsg musl_sendmmsg
#define sendmsg musl_sendmsg
#include_next <sys/socket.h>
#undef cmsghdr
#undef mmsghdr
#undef msghdr
#undef recvmmsg
#undef recvmsg
#undef sendmmsg
#undef sendmsg
#ifdef __cplusplus
extern "C" {
#endif
struct msghdr {
  void* msg_name;
  socklen_t msg_namelen;
  struct iovec* msg_iov;
  size_t msg_iovlen;
  void* msg_control;
  size_t msg_controllen;
  int msg_flags;
};
struct cmsghdr {
  size_t cmsg_len;
  int cmsg_level;
  int cmsg_type;
};
struct mmsghdr {
  struct msghdr msg_hdr;
  unsigned msg_len;
};
struct timespec;
ssize_t recvmsg(int, struct msghdr*, int);
ssize_t sendmsg(int, const struct msghdr*, int);
int recvmmsg(int, struct mmsghdr*, unsigned, int, const struct timespec*);
int sendmmsg(int, const struct mmsghdr*, unsigned, int);
#ifdef __cplusplus
}
#endif
