import Broadsheet
import Testing

/// The catalog of the tests of updates; its contract has short names.
func updateCatalog() throws -> Catalog {
    try Catalog(
        Array(
            #"""
            {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                          "unitData": "d"},
             "units": {
               "LIST": {"cells": {"type": "C"}},
               "BOX": {"header": {"type": "H", "data": "/title"},
                       "cells": {"type": "C", "data": "/list"}},
               "ONE": {"cell": {"type": "C"}},
               "TWO": {"cell": [{"type": "C", "data": "/a", "optional": true},
                                {"type": "C", "data": "/b", "optional": true}]},
               "SLOT": {"cell": [{"type": "C", "data": "/0"}, {"type": "C", "data": "/1"}]},
               "SAME": {"cell": [{"type": "C", "data": "/a"}, {"type": "C", "data": "/a/b"}]},
               "FIRST": {"header": {"type": "H", "data": "/0/title"}, "cells": {"type": "C"}},
               "TWICE": {"cells": [{"type": {"switch": "/kind", "cases": {"c": "C"}}},
                                   {"type": {"switch": "/kind", "cases": {"d": "C"}}}]},
               "KINDS": {"cells": {"type": {"switch": "/kind", "cases": {"c": "C"}}}},
               "BARE": {"cells": {"type": "N"}},
               "HEAD": {"header": {"type": "H"}}},
             "cellTypes": {"C": {"id": "/id"}, "H": {}, "N": {}}}
            """#.utf8))
}

/// Reads pages of the numbers 0, 1, … into a view model.
func viewModel(_ pages: [String], by catalog: Catalog) throws -> PaginatedViewModel {
    var model = PaginatedViewModel()
    for (number, page) in pages.enumerated() {
        try model.load(resolved(page, number: number, by: catalog))
    }
    return model
}

/// The outcome of an update.
enum UpdateOutcome: Equatable, Sendable {
    /// The pages after the update, byte for byte.
    case pages([String])
    /// The request does not fit the contract; the pointers to its violations.
    case violations([String])
    /// The operation at the pointer cannot be done.
    case impossible(String)
    /// A page would exceed a limit at the operation.
    case tooLarge(String)
    /// The outcome is not a page; the pointers into it.
    case invalid([String])
}

/// Applies operations to the pages of a screen.
func updated(
    _ pages: [String], _ operations: String, by catalog: Catalog,
    limits: EditLimits = EditLimits(), for parameters: LayoutParameters = LayoutParameters()
) throws -> UpdateOutcome {
    var model = try viewModel(pages, by: catalog)
    let request = try JSONDocument(Array(#"{"operations": [\#(operations)]}"#.utf8))
    let update: ScreenUpdate
    do throws(ContractError) {
        update = try ScreenUpdate(request, names: catalog.registry.names)
    } catch {
        return .violations(error.violations.map(\.pointer))
    }
    do throws(EditError) {
        try model.updatePages(
            registry: catalog.registry, limits: limits, parameters: parameters
        ) { updater throws(EditError) in
            for operation in update.operations { try updater.apply(operation) }
        }
        return .pages(texts(model))
    } catch {
        #expect(texts(model) == pages, "a failed update changed something")
        switch error {
        case .impossible(let pointer, _): return .impossible(pointer)
        case .tooLarge(let pointer, _): return .tooLarge(pointer)
        case .invalidContract(let error): return .invalid(error.violations.map(\.pointer))
        case .tooMuch, .outOfMemory: return .invalid([])
        }
    }
}

/// Returns the texts of the pages of a view model.
func texts(_ model: PaginatedViewModel) -> [String] {
    model.pages.map { String(decoding: $0.bytes, as: UTF8.self) }
}
