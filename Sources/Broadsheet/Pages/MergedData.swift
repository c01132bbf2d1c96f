extension MergedData {
    /// The bytes of the data as posted.
    public var bytes: ArraySlice<UInt8> { page.bytes[range] }

    /// Indexes the data, and returns its value.
    ///
    /// - Complexity: O(bytes).
    public func value() throws(JSONError) -> JSONValue {
        try JSONDocument(Array(bytes), maxDepth: .max).root
    }

    /// Decodes the data as a model; of a member that stands twice, the last value.
    ///
    /// - Throws: The first part of the data that does not fit the model.
    /// - Complexity: O(bytes).
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self
    ) throws(ModelError) -> Model {
        let value: JSONValue
        do throws(JSONError) { value = try self.value() } catch { throw ModelError(error) }
        return try value.decode(type)
    }
}

extension MergedData {
    /// Returns whether two sections have the data of one page and place, or none.
    static func areSame(_ one: MergedData?, _ other: MergedData?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.page === other.page && one.range == other.range
    }
}
