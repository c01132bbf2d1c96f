import CEpoll
import Dispatch
import Glibc

/// A thread that runs one closure and ends; for event loops, and for work that blocks.
package final class WorkerThread: Sendable {
    private let running: DispatchGroup

    /// Starts a thread that runs `body`.
    ///
    /// The thread runs to its end even if this object is released.
    ///
    /// - Parameters:
    ///   - name: The thread's name in `top -H` and in debuggers; the kernel keeps its first 15
    ///     bytes.
    ///   - body: The thread's work.
    /// - Throws: ``IOError/system(call:code:)`` when the system's limit of threads is reached.
    package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(IOError) {
        running = DispatchGroup()
        running.enter()
        let start = Unmanaged.passRetained(Start(name: name, body: body, running: running))
        var identifier = pthread_t()
        let code = pthread_create(
            &identifier, nil,
            { argument in
                // The body, and all that it captures, is released before the end is announced.
                if let argument { Start.run(argument).leave() }
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            running.leave()
            throw .system(call: "pthread_create", code: code)
        }
        pthread_detach(identifier)
    }

    package func join() { running.wait() }

    package func waitForEnd() async {
        await Waiter.wait { waiter in
            running.notify(queue: .global()) { waiter.resume(()) }
        }
    }

    /// The argument of a new thread.
    private final class Start {
        private let name: String
        private let body: @Sendable () -> Void
        private let running: DispatchGroup

        init(name: String, body: @escaping @Sendable () -> Void, running: DispatchGroup) {
            self.name = name
            self.body = body
            self.running = running
        }

        /// Runs the closure, releases it, and returns the group that the thread is to leave.
        @inline(never)
        static func run(_ argument: UnsafeMutableRawPointer) -> DispatchGroup {
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            cepoll_name_thread(start.name)
            start.body()
            return start.running
        }
    }
}
