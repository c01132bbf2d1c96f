import CHarfBuzz
import Glibc

/// One font of a file, checked.
///
/// HarfBuzz's objects are immutable after `init`, which makes them safe for all threads
/// (hb_face_make_immutable). They refer to the bytes, which this object keeps at one place.
final class FontFile: @unchecked Sendable {
    static let maxBytes = 64 << 20

    /// The face: the tables of the font.
    let face: OpaquePointer
    /// A hash of the file's bytes and the font's place in it, the same in every process.
    let contentHash: UInt64
    let names: FontNames
    let bytes: FontBytes
    private let libraries: TextLibraries

    /// Checks one font of a file; throws the cause if it is invalid.
    init(_ bytes: FontBytes, index: Int, libraries: TextLibraries) throws(FontFileError) {
        let tables = try SFNTTables(of: bytes.content, index: index)
        try FontWork.check(tables)
        self.bytes = bytes
        self.libraries = libraries
        names = FontNames(of: tables)
        contentHash = bytes.contentHash &+ UInt64(index)
        let functions = libraries.harfBuzz.pointee
        let blob = functions.hb_blob_create(
            bytes.content.baseAddress?.assumingMemoryBound(to: CChar.self),
            UInt32(bytes.content.count), HB_MEMORY_MODE_READONLY, nil, nil)
        defer { functions.hb_blob_destroy(blob) }
        guard let face = functions.hb_face_create(blob, UInt32(index)) else { throw .notAFont }
        functions.hb_face_make_immutable(face)
        self.face = face
        try checkTables(tables)
    }

    deinit { libraries.harfBuzz.pointee.hb_face_destroy(face) }

    /// Compares the tables with what HarfBuzz accepts of them.
    private func checkTables(_ tables: SFNTTables) throws(FontFileError) {
        let functions = libraries.harfBuzz.pointee
        let characters = functions.hb_set_create()
        defer { functions.hb_set_destroy(characters) }
        functions.hb_face_collect_unicodes(face, characters)
        guard functions.hb_set_get_population(characters) > 0 else { throw .damagedTable("cmap") }
        if !tables["GSUB"].isEmpty, functions.hb_ot_layout_has_substitution(face) == 0 {
            throw .damagedTable("GSUB")
        }
        if !tables["GPOS"].isEmpty, functions.hb_ot_layout_has_positioning(face) == 0 {
            throw .damagedTable("GPOS")
        }
    }
}

/// The bytes of a font file at one place in memory.
///
/// They are written once, in `init`, and read only afterwards.
final class FontBytes: @unchecked Sendable {
    /// The bytes, as long as this object exists.
    let content: UnsafeRawBufferPointer
    /// A hash of the bytes, the same in every process.
    let contentHash: UInt64

    /// Reads a file, of a regular kind and at most ``FontFile/maxBytes``.
    init(path: String) throws(FontFileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .unreadable(path: path, String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, "it is not a file")
        }
        guard status.st_size <= FontFile.maxBytes else {
            throw .tooLarge(bytes: Int(status.st_size))
        }
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(status.st_size), alignment: 16)
        guard Self.read(descriptor, into: storage) else {
            storage.deallocate()
            throw .unreadable(path: path, "it became shorter while it was read")
        }
        content = UnsafeRawBufferPointer(storage)
        contentHash = Self.hash(content)
    }

    deinit { UnsafeMutableRawBufferPointer(mutating: content).deallocate() }

    /// Returns the FNV-1a hash of words of 8 bytes, and of the bytes of the last one.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let prime: UInt64 = 0x100_0000_01B3
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
            hash = (hash ^ word) &* prime
            hash ^= hash >> 32
            offset += 8
        }
        for byte in bytes[offset...] { hash = (hash ^ UInt64(byte)) &* prime }
        return hash
    }

    private static func read(
        _ descriptor: Int32, into storage: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var count = 0
        while count < storage.count {
            let part = UnsafeMutableRawBufferPointer(rebasing: storage[count...])
            let result = Glibc.read(descriptor, part.baseAddress, part.count)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return false }
            count += result
        }
        return true
    }
}
