public import BroadsheetClient
public import Foundation

extension Date: TreeDecodable {
    /// Creates the date of a text of RFC 3339, or of a number of seconds since 2001.
    ///
    /// - Throws: ``TreeError/shape(_:)`` for another value.
    public init(_ value: TreeValue) throws {
        if let seconds = value.number {
            self.init(timeIntervalSinceReferenceDate: seconds)
        } else if let seconds = value.text.flatMap(RFC3339.secondsSince1970) {
            self.init(timeIntervalSince1970: seconds)
        } else {
            throw TreeError.shape("must be a time of RFC 3339")
        }
    }
}
