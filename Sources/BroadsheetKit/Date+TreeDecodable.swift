public import BroadsheetClient
public import Foundation

extension Date: TreeDecodable {
    /// Creates the date of a text of RFC 3339.
    ///
    /// - Throws: ``TreeError/shape(_:)`` for another value.
    public init(_ value: TreeValue) throws {
        guard let seconds = value.text.flatMap(RFC3339.secondsSince1970) else {
            throw TreeError.shape("must be a time of RFC 3339")
        }
        self.init(timeIntervalSince1970: seconds)
    }
}
