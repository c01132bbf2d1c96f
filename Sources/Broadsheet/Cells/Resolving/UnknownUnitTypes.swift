/// The unit types of a page that are not registered, with the registered ones that were probably
/// meant.
struct UnknownUnitTypes: Sendable {
    /// The registered names, as many as are compared; `nil` before the first comparison.
    private var candidates: [String]?
    /// The registered names that were probably meant, by the first unknown ones.
    private var nearest: [Identifier: String?] = [:]

    /// The largest number of unknown names of a page that are compared with registered ones; fixed.
    static let maxCompared = 10
    /// The largest number of registered names that they are compared with; fixed.
    static let maxCandidates = 1000

    /// Returns the diagnostic of a unit type that is not registered, with the name cut to
    /// ``ResolvedPage/maxShownNameLength`` characters.
    ///
    /// - Complexity: O(registered types) for a name that was not seen before.
    mutating func kind(of name: String, _ registry: CellRegistry) -> UnitDiagnostic.Kind {
        let shown = ReportedText.cut(String(name.prefix(ResolvedPage.maxShownNameLength)))
        let identifier = Identifier(name)
        if let known = nearest[identifier] { return .unknownUnitType(shown, nearest: known) }
        guard nearest.count < Self.maxCompared else {
            return .unknownUnitType(shown, nearest: nil)
        }
        let names = candidates ?? Array(registry.unitTypeNames.prefix(Self.maxCandidates))
        candidates = names
        let found = NearestName.of(name, among: names)
        nearest[identifier] = .some(found)
        return .unknownUnitType(shown, nearest: found)
    }
}

extension ServerStatePage {
    /// Returns whether a registry has the type of a unit of the page, or of a fallback, and the
    /// first different types that it does not have.
    ///
    /// - Complexity: O(units).
    package func unknownUnitTypes(
        by registry: CellRegistry
    ) -> (hasKnown: Bool, types: [String]) {
        var found: [String] = []
        for section in sections {
            let own = [section.header, section.footer].compactMap(\.self)
            for posted in own + Array(section.units) {
                var next: ServerStateUnit? = posted
                while let unit = next {
                    let name = unit.unitType
                    if registry.configuration(of: name) != nil { return (true, []) }
                    let shown = ReportedText.cut(
                        String(name.prefix(ResolvedPage.maxShownNameLength)))
                    if found.count < ResolvedPage.maxUnknownUnitTypes, !found.contains(shown) {
                        found.append(shown)
                    }
                    next = unit.fallback
                }
            }
        }
        return (false, found)
    }
}
