/// The diagnostics of a page, which are rendered only when they are read.
struct PageDiagnostics: Sendable {
    let names: ContractNames
    private let violations: [ContractViolation]
    /// Duplicate members, then unknown members.
    private let members: [MemberDiagnostics.Entry]
    private let units: [UnitDiagnostic]
    private let total: Int
    private let limit: Int

    /// Creates the diagnostics of `draft`, and of `page` if the draft is that of a posted page.
    init(
        _ draft: borrowing PageDraft, of page: ServerStatePage? = nil, maxDiagnostics: Int
    ) {
        names = page?.names ?? ContractNames()
        violations = []
        let duplicates = (page?.duplicates ?? []).map { pointer in
            MemberDiagnostics.Entry(
                code: .duplicateMember, pointer: pointer,
                detail: "stands more than once in its object; the last one counts")
        }
        members = Array((duplicates + (page?.unknownMembers ?? [])).prefix(maxDiagnostics))
        units = draft.diagnostics
        total =
            (page?.duplicateTotal ?? 0) + (page?.unknownTotal ?? 0) + draft.diagnosticTotal
        limit = maxDiagnostics
    }

    init(unreadable error: ContractError, names: ContractNames) {
        self.names = names
        violations = error.violations
        members = []
        units = []
        total = error.total
        limit = error.violations.count
    }

    var isEmpty: Bool { total == 0 && violations.isEmpty && members.isEmpty && units.isEmpty }

    /// The numbers of the diagnostics, without rendering them.
    var counts: DiagnosticCounts {
        var counts = DiagnosticCounts()
        counts.add(.unreadablePage, violations.count)
        for member in members { counts.add(member.code) }
        for unit in units.prefix(max(0, limit - members.count)) { counts.add(unit.kind.code) }
        counts.add(.diagnosticsTruncated, total - counts.total)
        return counts
    }

    /// Returns the first diagnostics up to the limit, and one more about the number of the others.
    func diagnostics(page: Int) -> [Diagnostic] {
        let unreadable = violations.map { violation in
            Diagnostic(
                code: .unreadablePage, page: page, pointer: violation.pointer,
                detail: violation.detail)
        }
        let reading = members.map { Diagnostic($0, page: page) }
        let resolving = units.prefix(max(0, limit - members.count)).map {
            $0.diagnostic(page: page, names: names)
        }
        let shown = unreadable + reading + resolving
        guard total > shown.count else { return shown }
        return shown + [
            Diagnostic(
                code: .diagnosticsTruncated, page: page, pointer: "",
                detail: "\(total - shown.count) more diagnostics of this page are not shown")
        ]
    }
}

/// A diagnostic about a unit or a section before it is rendered; small, because a page may have
/// many.
struct UnitDiagnostic: Sendable {
    /// The kind of loss, with the values that its pointer and its detail contain.
    enum Kind: Sendable {
        /// The unit type of that name is not registered; the nearest registered one, if it is near.
        case unknownUnitType(String, nearest: String?)
        /// The unit's data has no value at `pointer`.
        case missingData(isFlat: Bool, pointer: String)
        /// A model, from which something leads to `pointer`, cannot be used in the page.
        case lostModel(isFlat: Bool, pointer: String, String)
        /// The value at `pointer` in the unit's data does not keep the unit type's schema.
        case schemaViolation(isFlat: Bool, pointer: String, detail: String)
        case notAnArray(isFlat: Bool, pointer: String)
        /// The value at `pointer` in the unit's data selects no cell type.
        case noCellType(isFlat: Bool, pointer: String)
        /// The value at `pointer` in the unit's data has a type that its reader cannot use.
        case unusableValue(isFlat: Bool, pointer: String, by: ValueReader)
        /// The value at `pointer` in the unit's data does not fit the model of a Swift cell type.
        case unusableModel(
            isFlat: Bool, pointer: String, cellType: String, String, isForSpan: Bool = false)
        /// The header or footer that the unit made has been replaced.
        case replaced(PlacementRole)
        /// The unit type makes nothing, or nothing in the role that its location requires.
        case noPlacement(PlacementRole?)
        /// A member of the section's layout has no effect.
        case memberWithoutEffect(MemberWithoutEffect)
        /// No file of a font has a character of the text at `pointer` in the unit's data.
        case noGlyph(isFlat: Bool, pointer: String, Unicode.Scalar, font: String)
        /// The text at `pointer` in the unit's data is longer than ``TextLimits/maxBytes``.
        case textCut(isFlat: Bool, pointer: String)
        /// The app is too old for a cell type, and for its fallbacks.
        case cellTypeTooNew(String)
        /// Another unit, or other cell types, stand in: their names and those of the posted ones.
        case fallbackUsed([(posted: String, shown: String)], isUnit: Bool)
        /// The unit is essential, and can be made in no way.
        case essentialUnitMissing
        /// The item at `pointer` in the page has the id of an earlier item of its section.
        case duplicateID(pointer: String, id: String)
        /// The section has nearly the id of one of the catalog's.
        case misspeltSection(String, nearest: String)

        var code: Diagnostic.Code {
            switch self {
            case .unknownUnitType: .unknownUnitType
            case .missingData, .lostModel: .missingData
            case .schemaViolation: .schemaViolation
            case .notAnArray: .notAnArray
            case .noCellType: .noCellType
            case .unusableValue, .unusableModel: .unusableValue
            case .replaced: .replaced
            case .noPlacement: .noPlacement
            case .memberWithoutEffect: .memberWithoutEffect
            case .noGlyph: .noGlyph
            case .textCut: .textCut
            case .cellTypeTooNew: .cellTypeTooNew
            case .fallbackUsed: .fallbackUsed
            case .essentialUnitMissing: .essentialUnitMissing
            case .duplicateID: .duplicateID
            case .misspeltSection: .unknownSection
            }
        }
    }

    let kind: Kind
    let location: UnitLocation

    private static func detail(withoutGlyph character: Unicode.Scalar, _ font: String) -> String {
        let code = String(character.value, radix: 16, uppercase: true)
        let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
        return "no file of the font \"\(font)\" has U+\(digits) (\(character)); it is measured "
            + "with the first file's missing glyph"
    }

    private static func detail(ofDuplicate id: String) -> String {
        "an item before this one in the section has the id \"\(id)\" and keeps it, also one that "
            + "was inserted later; this one is \"\(id)#2\", or has a higher number"
    }

    func diagnostic(page: Int, names: ContractNames) -> Diagnostic {
        let unit = location.pointer(names)
        let type = JSONPointer.appending(unit, names.unitType)
        func data(_ isFlat: Bool, _ pointer: String) -> String {
            (isFlat ? unit : JSONPointer.appending(unit, names.unitData)) + pointer
        }
        func made(_ pointer: String, _ detail: String) -> Diagnostic {
            Diagnostic(code: kind.code, page: page, pointer: pointer, detail: detail)
        }
        switch kind {
        case .unknownUnitType(let name, let nearest):
            let remedy =
                nearest.map { "did you mean \"\($0)\"?" }
                ?? "add it to \"units\" in the catalog (--catalog FILE)"
            return made(type, "no unit type \"\(name)\" is registered; \(remedy)")
        case .missingData(let isFlat, let pointer):
            return made(data(isFlat, pointer), "there is nothing to make a cell of")
        case .lostModel(let isFlat, let pointer, let detail),
            .schemaViolation(let isFlat, let pointer, let detail):
            return made(data(isFlat, pointer), detail)
        case .notAnArray(let isFlat, let pointer):
            return made(data(isFlat, pointer), "cells are made of an array's elements")
        case .noCellType(let isFlat, let pointer):
            return made(
                data(isFlat, pointer),
                "the placement's type has no case for this value and no default")
        case .unusableValue(let isFlat, let pointer, let reader):
            return made(data(isFlat, pointer), reader.expectation)
        case .unusableModel(let isFlat, let pointer, let cellType, let detail, let isForSpan):
            return made(
                data(isFlat, pointer),
                "the cell type \"\(cellType)\" cannot use this value (\(detail)); "
                    + (isForSpan
                        ? "the item spans one column" : "the layout's default size is used"))
        case .replaced(let role):
            return made(unit, "a later \(role.rawValue) of this page takes its place")
        case .memberWithoutEffect(let member):
            return made("\(unit)/layout/\(member.name)", member.detail)
        case .noGlyph(let isFlat, let pointer, let character, let font):
            return made(data(isFlat, pointer), Self.detail(withoutGlyph: character, font))
        case .textCut(let isFlat, let pointer):
            return made(
                data(isFlat, pointer),
                "a text is measured up to \(TextLimits.maxBytes) bytes; the end of this one has no "
                    + "lines")
        case .cellTypeTooNew(let name):
            return made(
                unit, "the app cannot draw the cell type \"\(name)\" nor a fallback of it")
        case .fallbackUsed(let names, let isUnit):
            let pairs = names.map { "\"\($0.shown)\" stands in for \"\($0.posted)\"" }
            return made(
                unit, (isUnit ? "the unit " : "") + pairs.joined(separator: ", "))
        case .essentialUnitMissing:
            return made(unit, "the unit is essential and cannot be made; its section is left out")
        case .duplicateID(let pointer, let id):
            return made(pointer, Self.detail(ofDuplicate: id))
        case .misspeltSection(let id, let nearest):
            let detail = "the catalog has no section \"\(id)\"; did you mean \"\(nearest)\"?"
            return made(JSONPointer.appending(unit, names.sectionId), detail)
        case .noPlacement(let role):
            let missing = role.map { "no \($0.rawValue)" } ?? "nothing"
            return made(type, "this unit type makes \(missing)")
        }
    }
}

/// The numbers of diagnostics by code.
///
/// Diagnostics of a page beyond `ScreenLimits.maxDiagnostics`, which are not listed, count under
/// `DIAGNOSTICS_TRUNCATED`, so that the total includes every diagnostic.
package struct DiagnosticCounts: Sendable, Hashable {
    package private(set) var byCode: [Diagnostic.Code: Int] = [:]

    package init() {}

    package var total: Int { byCode.values.reduce(0, +) }

    package mutating func add(_ code: Diagnostic.Code, _ count: Int = 1) {
        guard count > 0 else { return }
        byCode[code, default: 0] += count
    }

    package mutating func add(_ other: DiagnosticCounts) {
        for (code, count) in other.byCode { add(code, count) }
    }
}

extension Diagnostic.Code {
    /// All codes that trees contain: those of pages, those of layouts, and those of lint.
    package static let all: [Diagnostic.Code] =
        [
            .unknownUnitType, .missingData, .schemaViolation, .notAnArray, .noCellType,
            .unusableValue, .noPlacement,
            .replaced, .duplicateMember, .unknownMember, .memberWithoutEffect, .noGlyph,
            .textCut, .duplicateID, .cellTypeTooNew, .fallbackUsed, .essentialUnitMissing,
            .unreadablePage,
            .diagnosticsTruncated, .unknownSection, .pointerFindsNothing,
        ] + LayoutDiagnostic.Code.allCases.map { Diagnostic.Code(rawValue: $0.rawValue) }
}
