import BroadsheetWeb

/// The names of the files of the web client (docs/web.md).
enum ClientFileNames {
    static let all = WebFileNames.all.filter { !$0.hasPrefix(InspectorFileNames.folder) }
}

/// The names of the files of the inspector other than its page (docs/inspector.md).
enum InspectorFileNames {
    static let folder = "inspector/"
    static let page = "inspector.html"

    static let all = WebFileNames.all.filter { $0.hasPrefix(folder) }
        .map { String($0.dropFirst(folder.count)) }.filter { $0 != page }
}

extension BroadsheetWebFile {
    /// A copy of the content, which is a constant of the program.
    var content: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: length)) }
}

/// The names of the embedded files.
private enum WebFileNames {
    static let all = (0..<broadsheet_web_count()).map {
        String(cString: broadsheet_web_file($0).name)
    }
}
