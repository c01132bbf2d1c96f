import Broadsheet

extension LogRecord {
    /// Writes the record as a JSON object (docs/cli.md): absent members are left out.
    func writeJSON(at time: Timestamp, into line: inout JSONWriter) {
        line.raw("{\"time\":\"")
        time.write(into: &line)
        line.raw("\",\"level\":\"")
        line.plain(level.rawValue)
        line.raw("\",\"message\":")
        line.string(message)
        if let requestID {
            line.raw(",\"requestId\":")
            line.string(requestID)
        }
        if let request { Self.writeJSON(request, into: &line) }
        if let code {
            line.raw(",\"code\":")
            line.string(code)
        }
        if let detail {
            line.raw(",\"detail\":")
            line.string(detail)
        }
        line.raw("}")
    }

    private static func writeJSON(_ request: Request, into line: inout JSONWriter) {
        line.raw(",\"method\":")
        line.string(request.method)
        line.raw(",\"path\":")
        line.string(request.path)
        line.raw(",\"status\":")
        line.integer(request.status)
        line.raw(",\"bytes\":")
        line.integer(request.bytes)
        line.raw(",\"microseconds\":")
        line.integer(Int(request.microseconds))
    }

    /// Writes the record as words, parted by blanks.
    func writeText(at time: Timestamp, into line: inout JSONWriter) {
        time.write(into: &line)
        line.raw(" ")
        line.plain(level.rawValue)
        line.raw(" ")
        line.plain(message)
        if let requestID {
            line.raw(" ")
            line.plain(requestID)
        }
        if let request { Self.writeText(request, into: &line) }
        if let code {
            line.raw(" ")
            line.plain(code)
        }
        if let detail {
            line.raw(": ")
            line.plain(detail)
        }
    }

    private static func writeText(_ request: Request, into line: inout JSONWriter) {
        line.raw(" ")
        line.plain(request.method.isEmpty ? "-" : request.method)
        line.raw(" ")
        line.plain(request.path.isEmpty ? "-" : request.path)
        line.raw(" ")
        line.integer(request.status)
        line.raw(" ")
        line.integer(request.bytes)
        line.raw(" B ")
        line.integer(Int(request.microseconds))
        line.raw(" us")
    }
}

extension JSONWriter {
    /// Writes text as it stands, but for control characters: those become `?`, since a client's
    /// bytes must not be able to start a line of the log.
    mutating func plain(_ text: String) {
        for byte in text.utf8 {
            raw(byte: byte < 0x20 || byte == 0x7f ? UInt8(ascii: "?") : byte)
        }
    }
}
