import Broadsheet
import BroadsheetHTTP

extension LayoutParameters {
    /// The parameters of the same layout for a request without client and flags.
    var withoutClient: LayoutParameters {
        var parameters = self
        parameters.client = nil
        parameters.flags = []
        return parameters
    }

    var haveClient: Bool { client != nil || !flags.texts.isEmpty }

    /// The layout parameters that a request sets.
    struct Partial: Sendable, Hashable {
        /// The values; those that are not set have their defaults.
        private(set) var values = LayoutParameters()
        /// A bit for each parameter that is set, at its index in ``LayoutParameter/all``.
        private var bits: UInt32 = 0

        init() {}

        /// Throws `INVALID_PARAMETER` for the first one that is invalid or wrongly repeated.
        init(_ query: Query, limits: ParameterLimits, isOfWindow: Bool = false) throws(Problem) {
            guard !query.items.isEmpty else { return }
            let limits = isOfWindow ? limits.ofWindows : limits
            let reader = ParameterReader(query)
            for (index, parameter) in LayoutParameter.all.enumerated()
            where try parameter.read(reader, limits: limits, into: &values) {
                bits |= 1 << index
            }
            guard isOfWindow || values.options.coordinates != .window else {
                throw .invalidParameter(
                    "coordinates",
                    "can be window only for a window, beside \(WindowQuery.anchorNames.listed)")
            }
        }

        /// Reads the viewport at `pointer` of a body; a viewport or a member that is null counts as
        /// absent.
        init(
            viewport: JSONValue?, at pointer: String, _ violations: inout ComposeViolations
        ) {
            guard let viewport, !viewport.isNull else { return }
            guard viewport.kind == .object else {
                violations.add(pointer, "must be an object", at: viewport)
                return
            }
            for (index, parameter) in LayoutParameter.all.enumerated() {
                guard let member = parameter.viewportMember, let value = viewport[parameter.name],
                    !value.isNull
                else { continue }
                if member.take(value, &values) {
                    bits |= 1 << index
                } else {
                    violations.add(
                        JSONPointer.appending(pointer, parameter.name),
                        "must be \(member.expected)", at: value)
                }
            }
        }

        private var all: some Sequence<LayoutParameter> {
            LayoutParameter.all.enumerated().lazy.filter { bits & 1 << $0.offset != 0 }
                .map(\.element)
        }

        func applied(to base: LayoutParameters = LayoutParameters()) -> LayoutParameters {
            var result = base
            guard bits != 0 else { return result }
            for parameter in all { parameter.copy(from: values, to: &result) }
            return result
        }

        /// Returns the name of the first parameter that contradicts those of a page token, or
        /// `nil`.
        func contradiction(to token: LayoutParameters) -> String? {
            guard bits != 0 else { return nil }
            return all.first { $0.isBound && !$0.isSame(in: values, and: token) }?.name
        }
    }
}
