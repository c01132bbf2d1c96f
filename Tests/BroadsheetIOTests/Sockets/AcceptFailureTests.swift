import BroadsheetIO
import Glibc
import Testing

@Suite("Failures of accept")
struct AcceptFailureTests {
    @Test(
        "Each failure has its answer (accept(2))",
        arguments: [
            (EAGAIN, AcceptFailure.drained),
            (EWOULDBLOCK, .drained),
            (EINTR, .skipped),
            (ECONNABORTED, .skipped),
            (EPROTO, .skipped),
            (ENETDOWN, .skipped),
            (EHOSTUNREACH, .skipped),
            (EPERM, .skipped),
            (EMFILE, .exhausted),
            (ENFILE, .exhausted),
            (ENOBUFS, .exhausted),
            (ENOMEM, .exhausted),
            (EBADF, .exhausted),
            (EINVAL, .exhausted),
        ])
    func classification(code: Int32, expected: AcceptFailure) {
        #expect(AcceptFailure(code: code) == expected)
    }
}
