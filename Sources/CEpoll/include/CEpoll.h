#ifndef CEPOLL_H
#define CEPOLL_H

// Glibc's Swift module leaves these headers out; everything else comes through Glibc.
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// And these calls: GNU extensions or variadic ones, which Swift does not see.

/// accept4(2) without an address, the new descriptor non-blocking and close-on-exec.
int cepoll_accept(int listener);

/// Names the calling thread for top and debuggers; the kernel keeps 15 bytes of `name`.
void cepoll_name_thread(const char *name);

/// From now on sends each arrival of `signal` as one byte to `socket`, which must stay open.
/// All signals share the socket that was named last. Returns 0, or -errno.
/// (In C because a Swift function may allocate or take locks, which no signal handler may.)
int cepoll_forward_signal(int signal, int socket);

#endif
