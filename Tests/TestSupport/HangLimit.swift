/// The time limit, in minutes, of tests that could hang.
///
/// The time of a test begins when it is started, together with the others of its module: on a busy
/// machine most of it is not the test's own, so one generous limit holds for all.
package let hangMinutes = 20

/// The time for which a test waits for an event that should be immediate, on a slow machine.
package let waitTimeout = Duration.seconds(240)

/// Repeats a check until it succeeds, and lets other tasks run between two; returns `false` after
/// ``waitTimeout``.
///
/// Of the time between two checks at most a second counts: on a busy machine the tests that compute
/// take the few threads of all tasks for minutes.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let clock = ContinuousClock()
    var (last, waited) = (clock.now, Duration.zero)
    while waited < waitTimeout {
        if try await condition() { return true }
        await Task.yield()
        let now = clock.now
        waited += min(now - last, .seconds(1))
        last = now
    }
    return false
}
