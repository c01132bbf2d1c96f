import Testing

@testable import BroadsheetHTTP

@Suite("Memory of a body follows what has come, not what was announced")
struct BodyBufferTests {
    /// The allocator rounds large pieces up to whole pages.
    private static let page = 4_096

    private func append(_ count: Int, to buffer: inout BodyBuffer) {
        [UInt8](repeating: 1, count: count).withUnsafeBytes { buffer.append($0) }
    }

    @Test("One byte of a gigabyte costs 64 KiB at most")
    func announcedMuch() {
        var buffer = BodyBuffer(ceiling: 1 << 30)
        #expect(buffer.bytes.capacity == 0)
        append(1, to: &buffer)
        #expect(buffer.bytes.capacity <= 65_536 + Self.page)
    }

    @Test("At every length the memory is at most twice the bytes, or 64 KiB")
    func growth() {
        var buffer = BodyBuffer(ceiling: 10_000_000)
        while buffer.bytes.count < 1_000_000 {
            append(1_777, to: &buffer)
            #expect(buffer.bytes.capacity <= max(65_536, 2 * buffer.bytes.count) + Self.page)
        }
    }

    @Test(
        "A body of announced length ends in memory that fits it",
        arguments: [1, 1_000, 65_536, 85_000, 300_000])
    func fits(length: Int) {
        var buffer = BodyBuffer(ceiling: length)
        var left = length
        while left > 0 {
            append(min(left, 1_460), to: &buffer)
            left -= min(left, 1_460)
        }
        #expect(buffer.bytes.count == length)
        #expect(buffer.bytes.capacity <= length + Self.page)
    }

    @Test("A piece larger than a step is taken in one go")
    func largePiece() {
        var buffer = BodyBuffer(ceiling: 1 << 30)
        append(500_000, to: &buffer)
        #expect(buffer.bytes.count == 500_000)
        #expect(buffer.bytes.capacity <= 500_000 + Self.page)
    }
}
