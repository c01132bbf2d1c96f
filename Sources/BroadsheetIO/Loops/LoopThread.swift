internal import CEpoll
import Glibc

/// A thread that runs one closure and is then joined.
struct LoopThread: Sendable {
    private let identifier: pthread_t

    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread that runs `body`.
    ///
    /// - Parameter name: What `top -H` shows; the kernel keeps its first 15 bytes.
    /// - Throws: ``IOError/system(call:code:)`` when the machine has no thread left to give.
    init(name: String, body: @escaping @Sendable () -> Void) throws(IOError) {
        var identifier = pthread_t()
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        let code = pthread_create(
            &identifier, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                cepoll_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw .system(call: "pthread_create", code: code)
        }
        self.identifier = identifier
    }

    /// Waits until the closure has returned.
    ///
    /// To be called once, and from another thread.
    func join() {
        pthread_join(identifier, nil)
    }
}
