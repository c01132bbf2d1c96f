/// A scanner of the elements of field values: tokens, quoted strings and `name=value` (RFC 9110
/// §5.6).
struct ParameterScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skipBlanks() { while index < bytes.count, bytes[index].isBlank { index += 1 } }

    /// Skips `byte` if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// Skips to `byte` outside quotes, or to the end.
    mutating func skip(to byte: UInt8) {
        while !isAtEnd, bytes[index] != byte {
            if take(UInt8(ascii: "\"")) { _ = quotedRest() } else { index += 1 }
        }
    }

    mutating func token() -> String? {
        let start = index
        while index < bytes.count, bytes[index].isTokenByte { index += 1 }
        return start == index ? nil : String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Scans a token, or a quoted string without its escapes; returns `nil` when neither is next.
    mutating func word() -> String? { take(UInt8(ascii: "\"")) ? quotedRest() : token() }

    private mutating func quotedRest() -> String? {
        var content: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard index < bytes.count else { return nil }
                content.append(bytes[index])
                index += 1
            } else {
                content.append(byte)
            }
        }
        return nil
    }
}

extension ParameterScanner {
    /// Returns the value of the first element of that name in a list of
    /// `name[=word] *(";" …) *("," …)`; empty when it has none.
    static func value(of wanted: String, in line: String) -> String? {
        var scanner = ParameterScanner(line)
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            if let name = scanner.token() {
                scanner.skipBlanks()
                var value: String? = ""
                if scanner.take(UInt8(ascii: "=")) {
                    scanner.skipBlanks()
                    value = scanner.word()
                }
                if let value, name.lowercased() == wanted { return value }
            }
            scanner.skip(to: UInt8(ascii: ","))
            _ = scanner.take(UInt8(ascii: ","))
        }
        return nil
    }

    /// Reads a number of seconds, at most `Int.max`; `nil` for anything but decimal digits (RFC
    /// 9110 §10.2.3).
    static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(text) ?? .max
    }
}
