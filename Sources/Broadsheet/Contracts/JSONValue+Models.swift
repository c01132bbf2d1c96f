import BroadsheetClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A model that cannot be read from JSON, or written as JSON.
public struct ModelError: Error, Sendable, Hashable {
    /// The JSON Pointer from the value to the part that does not fit.
    public let pointer: String
    /// A description of the mismatch.
    public let detail: String

    init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }

    init(path: [any CodingKey], detail: String) {
        pointer = path.reduce("") { pointer, key in
            key.intValue.map { JSONPointer.appending(pointer, $0) }
                ?? JSONPointer.appending(pointer, key.stringValue)
        }
        self.detail = detail
    }

    init(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            self.init(path: context.codingPath + [key], detail: "is missing")
        case DecodingError.valueNotFound(_, let context),
            DecodingError.typeMismatch(_, let context),
            DecodingError.dataCorrupted(let context):
            self.init(path: context.codingPath, detail: context.debugDescription)
        case EncodingError.invalidValue(_, let context):
            self.init(path: context.codingPath, detail: context.debugDescription)
        default:
            self.init(path: [], detail: String(describing: error))
        }
    }
}

extension ModelError: CustomStringConvertible {
    /// The pointer and the mismatch.
    public var description: String { "\(pointer): \(detail)" }
}

extension JSONValue {
    /// Creates the value of a model: the root of a document of its own, with members in the order
    /// of their names.
    ///
    /// - Throws: The part of the model that cannot be JSON.
    /// - Complexity: O(bytes).
    public init(encoding model: some Encodable) throws(ModelError) {
        self = try ModelCoding.value(of: model)
    }

    /// The bytes of the value as posted.
    public var bytes: ArraySlice<UInt8> { document.bytes[byteRange] }

    /// Decodes the value as a model; of a member that stands twice, the last value.
    ///
    /// - Throws: The first part of the value that does not fit the model.
    /// - Complexity: O(bytes).
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self
    ) throws(ModelError) -> Model {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteRange.count)
        appendDistinct(to: &bytes)
        do { return try ModelCoding.decoder().decode(type, from: Data(bytes)) } catch {
            throw ModelError(error)
        }
    }

    /// Appends the value with each member once, because decoders take the first of equal members.
    private func appendDistinct(to bytes: inout [UInt8]) {
        switch kind {
        case .array:
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.appendDistinct(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            let values = Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
            bytes.append(UInt8(ascii: "{"))
            for (index, (name, value)) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(UInt8(ascii: "\""))
                name.withContent { bytes += $0 }
                bytes += [UInt8(ascii: "\""), UInt8(ascii: ":")]
                value.appendDistinct(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .string, .number, .bool, .null: bytes += self.bytes
        }
    }
}

/// The form in which models are JSON: dates are texts of RFC 3339 in UTC, with milliseconds unless
/// they are zero.
enum ModelCoding {
    /// Encodes a model, so that equal models give equal bytes: members are in the order of their
    /// names.
    static func encode(_ model: some Encodable) throws(ModelError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom(Self.encode)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return Array(try encoder.encode(model)) } catch { throw ModelError(error) }
    }

    private static func encode(_ date: Date, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let text = RFC3339.text(secondsSince1970: date.timeIntervalSince1970) else {
            throw EncodingError.invalidValue(
                date,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "the date is not in the years 0 to 9999"))
        }
        try container.encode(text)
    }

    static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom(Self.date)
        return decoder
    }

    private static func date(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        guard
            let seconds = RFC3339.secondsSince1970(of: try container.decode(String.self))
        else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "must be a time of RFC 3339")
        }
        return Date(timeIntervalSince1970: seconds)
    }

    static func value(of model: some Encodable) throws(ModelError) -> JSONValue {
        let bytes = try encode(model)
        do { return try JSONDocument(bytes, maxDepth: .max).root } catch { throw ModelError(error) }
    }
}
