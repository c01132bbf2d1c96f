extension ServerStatePage {
    /// Creates the page of the contract that a resolved page was made of, or, for a page that was
    /// built in code, one that makes the same items, headers and footers.
    ///
    /// Each call on a section is a unit of the type `cell:NAME`, `cells:NAME`, `header:NAME` or
    /// `footer:NAME` with the name of the cell type, and `cell?:NAME` or `cells?:NAME` if its data
    /// may be missing. A registry makes of such a unit what the call made if the cell type is
    /// declared in it (``CellRegistry/declare(_:)``). The kind of a custom layout is left out; set
    /// it with ``CellRegistry/setLayout(_:forSection:)``.
    ///
    /// - Throws: The model that is not JSON, or the section that cannot keep its layout.
    /// - Complexity: O(bytes).
    public init(_ page: ResolvedPage) throws(ModelPageError) {
        guard page.built != nil else {
            guard let posted = page.posted(by: page.names) else {
                let violation = ContractViolation(pointer: "", detail: "is not a page")
                throw .invalidContract(ContractError(violations: [violation]))
            }
            self = posted
            return
        }
        let limits = ScreenLimits(maxDepth: .max, maxSections: .max, maxItems: .max)
        let bytes = try page.contractBytes(by: page.names)
        do {
            try self.init(
                try JSONDocument(bytes, maxDepth: .max), names: page.names, limits: limits)
        } catch let error as JSONError {
            throw .invalidJSON(error)
        } catch let error as ContractError {
            throw .invalidContract(error)
        } catch {
            throw .invalidModel(ModelError(error))
        }
    }
}

extension ServerStatePage {
    package var postedBytes: [UInt8] { Array(document.value(at: node).bytes) }
}

extension ResolvedPage {
    /// Returns the bytes of a built page as a page of the contract, whose cell types and custom
    /// layouts a registry has.
    ///
    /// - Throws: The first type or layout that the registry does not have, or a model that is not
    ///   JSON.
    package func contractBytes(
        declaredIn registry: CellRegistry
    ) throws(ModelPageError) -> [UInt8] {
        for (index, section) in (built ?? []).enumerated() {
            if let detail = section.missing(in: registry) {
                let pointer = JSONPointer.appending(
                    JSONPointer.appending("", registry.names.sections), index)
                let violation = ContractViolation(pointer: pointer, detail: detail)
                throw .invalidContract(ContractError(violations: [violation]))
            }
        }
        return try contractBytes(by: registry.names)
    }

    func contractBytes(by names: ContractNames) throws(ModelPageError) -> [UInt8] {
        let sections = built ?? []
        try check(sections, names)
        var output = StructuredJSONWriter(reservingCapacity: bytes.count + 64 * sections.count)
        output.object { output in
            output.member("hasNext", hasNext)
            if hasPrevious { output.member("hasPrevious", true) }
            output.member(named: names.sections)
            output.array { output in
                for section in sections {
                    output.element()
                    write(section, names, to: &output)
                }
            }
        }
        return output.bytes
    }

    /// Checks that all models are JSON, and that custom layouts have a section to be set for.
    private func check(
        _ sections: [KeptSection], _ names: ContractNames
    ) throws(ModelPageError) {
        for (index, section) in sections.enumerated() {
            let pointer = JSONPointer.appending(
                JSONPointer.appending("", names.sections), index)
            if section.customLayout != nil, section.identifier == nil {
                let violation = ContractViolation(
                    pointer: pointer + "/layout",
                    detail: "is a custom layout, which only a section with an id can keep")
                throw .invalidContract(ContractError(violations: [violation]))
            }
            for (unit, call) in section.calls.enumerated() {
                guard let error = call.error else { continue }
                let units = JSONPointer.appending(pointer, names.units)
                let data = JSONPointer.appending(
                    JSONPointer.appending(units, unit), names.unitData)
                throw .invalidModel(
                    ModelError(pointer: data + error.pointer, detail: error.detail))
            }
        }
    }

    private func write(
        _ section: KeptSection, _ names: ContractNames, to output: inout StructuredJSONWriter
    ) {
        output.object { output in
            if let id = section.identifier {
                output.member(named: names.sectionId)
                output.string(id)
            }
            if let collapsed = section.collapsed { output.member("collapsed", collapsed) }
            if let layout = section.layout?.layout {
                output.member("layout")
                layout.write(to: &output)
            }
            if let data = section.data, let name = names.sectionData {
                output.member(named: name)
                output.writer.raw(from: bytes, data)
            }
            output.member(named: names.units)
            output.array { output in
                for call in section.calls {
                    output.element()
                    write(call, names, to: &output)
                }
            }
        }
    }

    private func write(
        _ call: KeptCall, _ names: ContractNames, to output: inout StructuredJSONWriter
    ) {
        output.object { output in
            output.member(named: names.unitType)
            output.string(call.unitType)
            output.member(named: names.unitData)
            guard let data = call.data else { return output.null() }
            output.writer.raw(from: bytes, data)
        }
    }
}

extension KeptSection {
    /// Returns what a registry needs to make the same of the section, and does not have; `nil` if
    /// it has all.
    func missing(in registry: CellRegistry) -> String? {
        for type in calls.map(\.type) {
            let declared = registry.declaredType(named: type.typeName)
            if declared.map({ $0 != type }) ?? true {
                return "has the cell type \"\(type.typeName)\", which the registry does not declare"
            }
        }
        guard let custom = customLayout?.custom else { return nil }
        if let identifier, registry.layout(forSection: identifier).custom == custom { return nil }
        return "has a custom layout, which the registry does not have for its id"
    }
}
