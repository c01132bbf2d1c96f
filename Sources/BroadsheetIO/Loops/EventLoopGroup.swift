import Glibc
import Synchronization

/// A fixed number of running event loops, by default one for each core.
///
/// The threads run until ``stop()`` or ``shutdown()``, even if the group is released before.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let threads: [WorkerThread]
    private let turn = Atomic(0)

    /// Starts `count` loops (at least one), each on a separate thread.
    ///
    /// - Throws: ``IOError/system(call:code:)`` when descriptors or threads run out; loops that had
    ///   started are stopped.
    package init(
        count: Int = EventLoopGroup.coreCount, clock: TimeSource = .system
    ) throws(IOError) {
        var loops: [EventLoop] = []
        for _ in 0..<max(1, count) { loops.append(try EventLoop(clock: clock)) }
        var threads: [WorkerThread] = []
        do {
            for (index, loop) in loops.enumerated() {
                threads.append(try WorkerThread("loop-\(index)") { loop.run() })
            }
        } catch {
            for loop in loops { loop.stop() }
            for thread in threads { thread.join() }
            throw error
        }
        self.loops = loops
        self.threads = threads
    }

    package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Returns the loops one after the other, in rotation; callable from any thread.
    package func next() -> EventLoop {
        let ticket = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: ticket) % UInt(loops.count))]
    }

    /// Stops every loop and returns at once; the threads end after the jobs that are running.
    ///
    /// A second call does nothing.
    package func stop() {
        for loop in loops { loop.stop() }
    }

    /// Returns once every thread has ended; ``stop()`` ends them.
    package func waitForEnd() async {
        for thread in threads { await thread.waitForEnd() }
    }

    /// Stops every loop and waits until its thread has ended; a second call does nothing.
    ///
    /// Blocks for as long as the jobs that are running take. Must not be called from a loop, which
    /// cannot wait for itself.
    package func shutdown() {
        stop()
        for thread in threads { thread.join() }
    }
}
