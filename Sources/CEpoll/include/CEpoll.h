#ifndef CEPOLL_H
#define CEPOLL_H

// Glibc's Swift module leaves these three headers out; everything else comes through Glibc.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#endif
