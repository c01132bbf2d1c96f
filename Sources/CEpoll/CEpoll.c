#define _GNU_SOURCE  // accept4, fallocate
#include "CEpoll.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

int cepoll_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int cepoll_ignore_connections(int listener) {
    struct sock_filter drop = {.code = BPF_RET | BPF_K, .k = 0};
    struct sock_fprog filter = {.len = 1, .filter = &drop};
    return setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

int cepoll_allocate(int file, long long offset, long long length) {
    return fallocate(file, FALLOC_FL_KEEP_SIZE, offset, length) == 0 ? 0 : -errno;
}

void cepoll_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

static atomic_int signal_socket = -1;

static void forward(int signal) {
    int saved = errno;  // the interrupted code may be about to read it
    unsigned char byte = (unsigned char)signal;
    // A full socket holds thousands of unread signals; one more can be dropped.
    send(atomic_load(&signal_socket), &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    errno = saved;
}

int cepoll_forward_signal(int signal, int socket) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = forward;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    atomic_store(&signal_socket, socket);
    return sigaction(signal, &action, NULL) == 0 ? 0 : -errno;
}
