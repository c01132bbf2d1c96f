import Testing

/// Every test that drives the real binary.
///
/// One at a time, so that what they measure (memory, time to drain, open descriptors) is not the
/// others'; and each on a thread of its own, because they wait in plain blocking calls, which would
/// hold up the asynchronous tests of the other suites on the shared pool. The limit leaves a slow
/// machine time for fifty rounds of a crash; whatever hangs meets a ``Deadline`` before it.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(10)))
enum EndToEnd {}
