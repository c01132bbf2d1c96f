/// A place in a page, kept in numbers until someone wants to read it as a JSON Pointer.
package struct UnitLocation: Sendable, Hashable {
    /// What of a section it is.
    enum Part: Sendable, Hashable {
        case unit(Int32)
        case header
        case footer
    }

    /// The posted section's index.
    let section: Int32
    /// Whether that section was posted as an array of units.
    let isBare: Bool
    /// Which unit of it.
    let part: Part

    /// The place as a JSON Pointer into its page, whose members are called `names`.
    package func pointer(_ names: ContractNames) -> String {
        let sections = JSONPointer.appending("", names.sections)
        let section = JSONPointer.appending(sections, Int(section))
        switch part {
        case .header: return section + "/header"
        case .footer: return section + "/footer"
        case .unit(let index):
            let units = isBare ? section : JSONPointer.appending(section, names.units)
            return JSONPointer.appending(units, Int(index))
        }
    }
}
