/// The version of an app: 1 to 4 whole numbers, of which those left out are 0.
public struct ClientVersion: Sendable, Hashable {
    private let numbers: SIMD4<Int>

    static let zero = ClientVersion()

    private init() { numbers = SIMD4() }

    static let maxNumbers = 4
    static let maxDigits = 15

    /// Reads a version such as `5.2.1`; `nil` if the text is not one.
    public init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= Self.maxNumbers else { return nil }
        var numbers = SIMD4<Int>()
        for (index, part) in parts.enumerated() {
            guard 1...Self.maxDigits ~= part.count,
                part.allSatisfy(\.isDigit)
            else { return nil }
            numbers[index] = part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        self.numbers = numbers
    }
}

extension ClientVersion: Comparable {
    /// Returns whether the first number in which two versions differ is less on the left.
    public static func < (left: ClientVersion, right: ClientVersion) -> Bool {
        for index in 0..<maxNumbers where left.numbers[index] != right.numbers[index] {
            return left.numbers[index] < right.numbers[index]
        }
        return false
    }
}

extension ClientVersion: CustomStringConvertible {
    /// The version without zeros at its end: equal versions have equal descriptions.
    public var description: String {
        let count = (0..<Self.maxNumbers).last { numbers[$0] != 0 }.map { $0 + 1 } ?? 1
        return (0..<count).map { String(numbers[$0]) }.joined(separator: ".")
    }
}

/// The app that asks for a layout: its platform and its version (docs/clients.md).
public struct Client: Sendable, Hashable {
    /// The name of the platform.
    public let platform: String
    /// The version of the app.
    public let version: ClientVersion

    static let maxPlatformBytes = 32
    package static let form =
        "a platform (1 to 32 of a-z 0-9 -), a slash and a version of 1 to 4 whole numbers"

    /// Reads a client such as `ios/5.2.1`; `nil` if the text is not one.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isPlatform(parts[0]), let version = ClientVersion(parts[1])
        else { return nil }
        platform = String(parts[0])
        self.version = version
    }

    static func isPlatform(_ text: some StringProtocol) -> Bool {
        1...maxPlatformBytes ~= text.utf8.count
            && text.utf8.allSatisfy { $0.isLowercase || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}

extension Client: CustomStringConvertible {
    /// The client as a request names it; equal clients have equal descriptions.
    public var description: String { "\(platform)/\(version)" }
}

/// The names of features, experiments and capabilities that a request has (docs/clients.md).
public enum ClientFlags {
    /// The largest number of flags of a request, and of a list in a condition.
    package static let maxCount = 64
    package static let maxBytes = 64
    package static let form =
        "at most 64 names, each 1 to 64 of A-Z a-z 0-9 . _ -, separated by commas"

    /// Reads flags that are separated by commas; `nil` if the text is not a list of flags.
    public static func list(_ text: String) -> IdentifierList? {
        guard !text.isEmpty else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy(isFlag) else { return nil }
        let list = IdentifierList(names)
        return list.texts.count <= maxCount ? list : nil
    }

    static func isFlag(_ text: String) -> Bool {
        1...maxBytes ~= text.utf8.count
            && text.utf8.allSatisfy {
                $0.isLowercase || $0.isDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= $0
                    || "._-".utf8.contains($0)
            }
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
