import CZlib
import Glibc

/// The processor time of a computation in multiples of a yardstick.
///
/// Tests of bounded work compare with it what they compute: both are slower on a slow machine, and
/// beside other work. Bounds are several times what is usual.
package enum ProcessorTime {
    /// The processor time of the current thread, in seconds.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the processor time of a function in multiples of ``yardstick``, which is measured
    /// before and after it; the longer one counts.
    package static func ratio(of body: () throws -> Void) rethrows -> Double {
        let before = yardstick
        let start = now
        try body()
        let seconds = now - start
        return seconds / max(before, yardstick)
    }

    /// The seconds that the compression of half a mebibyte takes now, some 20 milliseconds.
    package static var yardstick: Double {
        let start = now
        var size = compressBound(uLong(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(size))
        precondition(compress2(&compressed, &size, bytes, uLong(bytes.count), 6) == Z_OK)
        return now - start
    }

    /// Random words of 16 letters.
    private static let bytes = {
        var generator = SeededGenerator(seed: 1)
        return [UInt8](unsafeUninitializedCapacity: 1 << 19) { bytes, count in
            for index in bytes.indices {
                bytes.initializeElement(at: index, to: 0x61 + UInt8(generator.next() >> 60))
            }
            count = bytes.count
        }
    }()
}
