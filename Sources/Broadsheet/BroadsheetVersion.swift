/// The version of the product, which the command prints and strong entity tags depend on.
public enum BroadsheetVersion {
    /// The semantic version of this source tree.
    public static let current = "0.2.0"
}
