/// Applies a merge patch to the members of a section other than its units.
struct PatchSection: UpdateForm {
    static let name = "patchSection", changesPlaces = false
    static let members: [UpdateMember] = [.section, "patch"]

    let section: UpdateTarget
    let patch: JSONValue

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let (section, names) = (members.target(), members.names)
        let patch = members.required("patch") { value, collector in
            Self.patch(value, names, &collector)
        }
        guard let section, let patch else { return nil }
        return .patchSection(section: section, patch: patch)
    }

    private static func patch(
        _ value: JSONValue, _ names: ContractNames, _ collector: inout ViolationCollector
    ) -> JSONValue? {
        guard let patch = Members(value, &collector) else { return nil }
        patch.reportUnpatched(by: names, &collector)
        _ = patch.bool("collapsed", &collector)
        collector.isMergePatch = true
        _ = patch.object("layout", &collector, SectionLayout.init)
        collector.isMergePatch = false
        for name in ["header", "footer"] {
            _ = patch.object(name, &collector) { members, _ in members.object }
        }
        return value
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        let parts = try editor.parts(of: section)
        let source = editor.source(of: patch)
        for (name, value) in patch.members
        where source.member(JSONKey(name), of: patch.node) == value.node {
            do throws(EditFailure) {
                try editor.patchMember(name.string, of: parts, value)
            } catch {
                var failure = error
                failure.pointer = JSONPointer.appending("/patch", name.string)
                throw failure
            }
        }
    }
}

extension Members {
    /// Reports the members that a patch of a section cannot change.
    fileprivate func reportUnpatched(
        by names: ContractNames, _ collector: inout ViolationCollector
    ) {
        let known = names.patchedMembers
        for member in object.members where !known.contains(where: member.name.equals) {
            let name = member.name.string
            guard !MemberDiagnostics.isForOthers(name) else { continue }
            let nearest = NearestName.of(name, among: known)
            let hint =
                nearest.map { "did you mean \"\($0)\"?" } ?? "it takes \(known.alternatives)"
            collector.path.descend(to: name)
            collector.report("is not known to \(PatchSection.name); \(hint)", at: member.value)
            collector.path.ascend()
        }
    }
}

extension ScreenEditor {
    fileprivate func patchMember(
        _ name: String, of parts: [Part], _ value: JSONValue
    ) throws(EditFailure) {
        switch name {
        case "collapsed", "data":
            if name == "data", registry.names.sectionData == nil {
                throw EditFailure("The catalog's contract gives sections no data.")
            }
            try setMember([name], of: parts, merging: value)
        case "layout" where value.isNull: try setMember([name], of: parts, merging: value)
        case "layout":
            guard value.kind == .object else { throw EditFailure("A layout is an object.") }
            for member in value.members {
                try setMember([name, member.name.string], of: parts, merging: member.value)
            }
        case "header", "footer":
            let role: PlacementRole = name == "header" ? .header : .footer
            if value.isNull, try unitMakes(role, in: parts) {
                throw EditFailure("A unit of the section makes the \(name).")
            }
            if !value.isNull { try touchView(role, of: parts) }
            try setMember([name], of: parts, merging: value)
            for part in parts where openedPage(part.page) != nil {
                try page(part.page).readView(role, ofSection: part.section)
            }
        default:
            guard MemberDiagnostics.isForOthers(name) else {
                throw EditFailure("A patch of a section has no such member.")
            }
        }
    }

    /// Notes that an operation changes the header or the footer of a section: that of its last
    /// part, which becomes what the parts say together.
    private func touchView(_ role: PlacementRole, of parts: [Part]) throws(EditFailure) {
        guard record.notesUnits, let last = parts.last else { return }
        let view = try member([role.rawValue], of: parts)
        try page(last.page).touchView(role, ofSection: last.section, before: view)
    }

    /// Merges a patch into the value that a member of a section has, and writes the outcome into
    /// the last part; null takes the member away from all parts.
    private func setMember(
        _ path: [String], of parts: [Part], merging patch: JSONValue
    ) throws(EditFailure) {
        guard let last = parts.last else { return }
        if patch.isNull {
            for part in parts where try member(path, of: part) != nil {
                try page(part.page).setMember(path, ofSection: part.section, to: nil)
            }
            return
        }
        var value = try member(path, of: parts) ?? .none
        value.merge(source(of: patch), patch.node)
        try page(last.page).setMember(path, ofSection: last.section, to: value)
    }

    private func unitMakes(_ role: PlacementRole, in parts: [Part]) throws(EditFailure) -> Bool {
        for part in parts where mayHave(role.rawValue, part) {
            let section = try page(part.page).sections[part.section]
            if section.units.contains(where: { $0.makes(role) }) { return true }
        }
        return false
    }
}
