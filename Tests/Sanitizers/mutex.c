// Reports the locking of Swift's `Mutex` to ThreadSanitizer.
//
// The uncontended part of `Mutex` is inlined into the program, and instrumented. The contended part
// is in libswiftSynchronization.so, which is not, so that ThreadSanitizer would report a race
// wherever a thread had to wait for a mutex. This library precedes that one (LD_PRELOAD): it calls
// the function of the same name there, and names the mutex to ThreadSanitizer.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// Functions of the program's runtime; absent in programs that are not instrumented.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void Lock(uint32_t thread, SELF);
typedef SWIFT void Unlock(SELF);

static void *next(const char *symbol) {
    void *function = dlsym(RTLD_NEXT, symbol);
    if (!function) abort();
    return function;
}

SWIFT void lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF mutex) {
    ((Lock *)next(LOCK_SLOW))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF mutex) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((Unlock *)next(UNLOCK_SLOW))(mutex);
}
