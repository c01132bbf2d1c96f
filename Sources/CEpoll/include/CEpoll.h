#ifndef CEPOLL_H
#define CEPOLL_H

// Headers that Swift's Glibc module does not include.
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Calls that Swift does not import, since they are GNU extensions or variadic.

/// Calls accept4(2) without an address; the new descriptor is non-blocking and close-on-exec.
int cepoll_accept(int listener);

/// Makes the kernel ignore attempts to connect to a listening socket: their clients try again, and
/// are refused once the socket is closed. Returns -1 if the kernel has no filters.
int cepoll_ignore_connections(int listener);

/// Allocates disk space for a range of a file whose size stays as it is. Returns 0, or -errno.
int cepoll_allocate(int file, long long offset, long long length);

/// Sets the name of the calling thread, which top and debuggers show; the kernel keeps 15 bytes.
void cepoll_name_thread(const char *name);

/// Sends one byte to `socket` for each arrival of `signal` from now on; `socket` must stay open.
/// All signals share the socket of the last call. Returns 0, or -errno.
/// (In C because a Swift function may allocate or take locks, which a signal handler must not.)
int cepoll_forward_signal(int signal, int socket);

#endif
