import BroadsheetHTTP
import BroadsheetStores

extension ScreenLifetime {
    /// The value of the header for an indefinite lifetime.
    static let indefiniteWord = "none"

    /// Reads the header `Broadsheet-TTL`: whole seconds, or `none` for an indefinite lifetime;
    /// returns `nil` without the header.
    ///
    /// - Throws: `INVALID_PARAMETER` for another value, and for a repeated header.
    init?(in headers: HTTPHeaders) throws(Problem) {
        let name = HTTPFieldName.screenLifetime
        let values = headers.values(of: name)
        guard let text = values.first else { return nil }
        if values.count == 1 {
            if text == Self.indefiniteWord {
                self = .indefinite
                return
            }
            if let seconds = WholeNumber(text)?.value, let lifetime = Self(seconds: seconds) {
                self = lifetime
                return
            }
        }
        let range = Self.secondsRange
        throw .invalidParameter(
            name.spelling,
            "must be a whole number of seconds from \(range.lowerBound) to \(range.upperBound), "
                + "or \(Self.indefiniteWord)")
    }
}
