#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/// Returns the number of heap blocks that this thread has allocated.
///
/// A program that links this module counts its calls of malloc and related functions; the blocks
/// themselves still come from glibc's heap. Only the benchmark program links it.
uint64_t callocations_of_this_thread(void);

/// Keeps freed memory of every size in the process from now on, so that later measurements do not
/// include the time in which the kernel provides zeroed pages.
void callocations_keep_freed_memory(void);

#endif
