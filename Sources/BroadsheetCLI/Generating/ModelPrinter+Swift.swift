extension ModelPrinter {
    func swiftValues(of type: DeclaredType) -> TemplateValues {
        // The coding that Swift derives treats null otherwise.
        let hasOwnCoding = type.parts.contains { member in
            member.isAdditional || member.isNullable || !member.isRequired && member.type == .json
        }
        return [
            "parameters": .list(type.parts.map(parameter)), "hasOwnCoding": .flag(hasOwnCoding),
            "hasKeys": .flag(hasOwnCoding || type.parts.contains { $0.identifier != $0.value }),
        ]
    }

    private func parameter(_ member: NamedValue) -> String {
        let start = "\(language.name(member.identifier)): \(stored(member))"
        guard member.isRequired else { return "\(start)? = nil" }
        if member.isAdditional { return "\(start) = [:]" }
        return start + (member.isNullable ? " = nil" : constant(member))
    }
}
