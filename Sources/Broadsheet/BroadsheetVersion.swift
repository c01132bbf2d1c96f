/// The product's version, as the command prints it and as strong entity tags depend on it.
public enum BroadsheetVersion {
    /// Semantic version of this source tree.
    public static let current = "0.1.0"
}
