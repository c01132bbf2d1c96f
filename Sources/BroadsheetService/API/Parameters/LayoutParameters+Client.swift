import Broadsheet

extension LayoutParameters {
    /// The parameters of the same layout for a request without client and flags.
    var withoutClient: LayoutParameters {
        var parameters = self
        parameters.client = nil
        parameters.flags = []
        return parameters
    }

    /// A Boolean value that indicates whether a request has a client or flags.
    var haveClient: Bool { client != nil || !flags.texts.isEmpty }
}
