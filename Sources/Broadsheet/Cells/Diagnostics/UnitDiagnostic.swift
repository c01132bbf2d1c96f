/// A diagnostic before anyone has read it: small, since a page may have many that nobody reads.
struct UnitDiagnostic: Sendable {
    /// What was found, with what its pointer and its sentence need.
    enum Kind: Sendable {
        case unknownUnitType
        /// Nothing where `pointer` looks in the unit's data.
        case missingData(isFlat: Bool, pointer: String)
        /// No array where `pointer` looks in the unit's data.
        case notAnArray(isFlat: Bool, pointer: String)
        /// The header or footer that the unit made has given way.
        case replaced(PlacementRole)
        /// The unit's type makes nothing, or not what its place asks for.
        case noPlacement(PlacementRole?)
    }

    let kind: Kind
    /// The unit that it is about.
    let place: UnitLocation

    /// The finding as people and programs read it.
    func diagnostic(page: Int, names: ContractNames) -> Diagnostic {
        Diagnostic(code: code, page: page, pointer: pointer(names), detail: detail)
    }

    private var code: Diagnostic.Code {
        switch kind {
        case .unknownUnitType: .unknownUnitType
        case .missingData: .missingData
        case .notAnArray: .notAnArray
        case .replaced: .replaced
        case .noPlacement: .noPlacement
        }
    }

    private func pointer(_ names: ContractNames) -> String {
        let unit = place.pointer(names)
        switch kind {
        case .unknownUnitType, .noPlacement:
            return JSONPointer.appending(unit, names.unitType)
        case .missingData(let isFlat, let pointer), .notAnArray(let isFlat, let pointer):
            return (isFlat ? unit : JSONPointer.appending(unit, names.unitData)) + pointer
        case .replaced:
            return unit
        }
    }

    private var detail: String {
        switch kind {
        case .unknownUnitType: "no unit type of this name is registered"
        case .missingData: "there is nothing to make a cell of"
        case .notAnArray: "cells are made of an array's elements"
        case .replaced(let role): "a later \(role.rawValue) of this page takes its place"
        case .noPlacement(let role?): "this unit type makes no \(role.rawValue)"
        case .noPlacement(nil): "this unit type makes nothing"
        }
    }
}
