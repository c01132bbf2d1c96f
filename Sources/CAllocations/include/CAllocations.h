#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/// How many blocks this thread has asked the heap for so far.
///
/// A program that links this module has its calls of malloc and its kin counted; the blocks
/// themselves still come from glibc's heap. Only the benchmark program does.
uint64_t callocations_of_this_thread(void);

/// From now on keeps freed memory in the process, whatever a block's size, so that what is measured
/// afterwards does not include the kernel's handing out of zeroed pages.
void callocations_keep_freed_memory(void);

#endif
