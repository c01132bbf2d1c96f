struct ConfigurationFile: Sendable {
    let values: [String: String]
}
