import CZlib

/// An error of the decompression of a gzip stream.
package struct GunzipError: Error, CustomStringConvertible {
    /// The result of zlib.
    package let description: String
}

/// Returns the content of one gzip stream (RFC 1952), which must have nothing after it.
package func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    let begun = inflateInit2_(
        &stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { throw GunzipError(description: "inflateInit2: \(begun)") }
    defer { inflateEnd(&stream) }
    var content: [UInt8] = []
    var input = bytes
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let result = input.withUnsafeMutableBufferPointer { input in
        chunk.withUnsafeMutableBufferPointer { chunk in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while true {
                stream.next_out = chunk.baseAddress
                stream.avail_out = UInt32(clamping: chunk.count)
                let result = inflate(&stream, Z_NO_FLUSH)
                content.append(contentsOf: chunk.prefix(chunk.count - Int(stream.avail_out)))
                if result != Z_OK { return result }
            }
        }
    }
    guard result == Z_STREAM_END, stream.avail_in == 0 else {
        throw GunzipError(description: "inflate: \(result), \(stream.avail_in) bytes left")
    }
    return content
}
