import Testing

extension EndToEnd {
    /// Whatever is killed, filled or taken away amid eight writers, nothing that was acknowledged is
    /// lost; `make soak` runs these at their full number.
    @Suite struct Crashing {}
}
