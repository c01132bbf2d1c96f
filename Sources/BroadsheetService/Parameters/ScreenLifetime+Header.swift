import BroadsheetHTTP
import BroadsheetStores

extension ScreenLifetime {
    /// The word that asks for no end.
    static let endlessWord = "none"

    /// What a write says by `Broadsheet-TTL`: whole seconds, or `none` for no end; nil when it says
    /// nothing.
    ///
    /// Throws `INVALID_PARAMETER` for anything else, the header twice included.
    init?(in headers: HTTPHeaders) throws(Problem) {
        let name = HTTPFieldName.screenLifetime
        let values = headers.values(of: name)
        guard let text = values.first else { return nil }
        if values.count == 1 {
            if text == Self.endlessWord {
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
                + "or \(Self.endlessWord)")
    }
}
