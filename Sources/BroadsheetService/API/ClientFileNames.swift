import BroadsheetWeb

/// The names of the files of the web client (docs/web.md).
enum ClientFileNames {
    static let all = (0..<broadsheet_web_count()).map {
        String(cString: broadsheet_web_file($0).name)
    }
}
