import Broadsheet
import BroadsheetClient
import Testing

// A table of employees by department, as SimpleSource shows it.

struct Employee: Codable, Hashable, Sendable {
    var name: String
}

struct Department: ServerStateSectionRepresentable {
    var name: String
    var items: [Employee]

    var sectionId: String? { name }
    var header: (any ServerStateUnitRepresentable)? { TemplateUnit("DEPARTMENT", name) }
    var units: [any ServerStateUnitRepresentable] { [TemplateUnit("EMPLOYEES", items)] }
}

enum EmployeeCell: CellType {
    static let id: JSONPointer? = "/name"

    static func size(with input: Employee, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 44)
    }
}

enum DepartmentView: CellType {
    static func size(with input: String, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 28)
    }
}

@Suite("Employees by department, as SimpleSource shows them")
struct EmployeesTests {
    private static let registry: CellRegistry = {
        var registry = CellRegistry()
        registry.setLayout(.list(), forSection: CellRegistry.anySection)
        registry.register("EMPLOYEES") { $1.cells(EmployeeCell.self, data: $0.data) }
        registry.register("DEPARTMENT") { $1.header(DepartmentView.self, data: $0.data) }
        return registry
    }()

    private static let departments = [
        Department(
            name: "Engineering",
            items: [Employee(name: "Alice"), Employee(name: "Christine"), Employee(name: "Diana")]),
        Department(
            name: "Sales",
            items: [Employee(name: "Bob"), Employee(name: "Eliza"), Employee(name: "Frank")]),
    ]

    private func presenter() throws -> ScreenPresenter {
        var presenter = ScreenPresenter(registry: Self.registry)
        try presenter.loadPage(0, hasNext: false, sections: Self.departments)
        return presenter
    }

    @Test("Sections of items, with their names as headers")
    func table() throws {
        let screen = try presenter().screen
        #expect(screen.sections.map(\.items.count) == [3, 3])
        #expect(try screen.sections[1].header?.data.decode(String.self) == "Sales")
        let employee = try #require(screen.item(at: .init(section: 0, item: 1)))
        #expect(try employee.data.decode(Employee.self) == Employee(name: "Christine"))
        #expect(screen.item(at: .init(section: 0, item: 3)) == nil)
    }

    @Test("Sections that are assigned again are changes, animated by the client")
    func assign() throws {
        var presenter = try presenter()
        let shown = presenter
        var departments = Self.departments
        departments[0].items.remove(at: 0)
        departments[1].items.append(Employee(name: "George"))
        departments.append(Department(name: "Legal", items: [Employee(name: "Helen")]))
        try presenter.loadPage(0, hasNext: false, sections: departments)
        let changes = presenter.changes(since: shown)
        guard case .update(let update) = changes.content else {
            Issue.record("The changes are a whole tree.")
            return
        }
        #expect(update.stages.flatMap(\.deleteItems) == [.init(section: 0, item: 0)])
        #expect(update.stages.flatMap(\.insertItems).map(\.place) == [.init(section: 1, item: 3)])
        #expect(update.stages.flatMap(\.insertSections).map(\.place) == [2])
        var tree = shown.tree
        try changes.apply(to: &tree)
        #expect(tree == presenter.tree)
        let unchanged = presenter.changes(since: presenter)
        guard case .update(let none) = unchanged.content else {
            Issue.record("Equal screens differ.")
            return
        }
        #expect(none.stages.isEmpty && none.sections.isEmpty && none.frames.isEmpty)
    }

    @Test("Items are reordered, within a department and into another")
    func reorder() throws {
        var presenter = try presenter()
        try presenter.moveItem(at: .init(section: 0, item: 0), to: .init(section: 0, item: 2))
        try presenter.moveItem(at: .init(section: 1, item: 1), to: .init(section: 0, item: 0))
        #expect(
            presenter.screen.sections.map { $0.items.map(\.id) } == [
                ["Eliza", "Christine", "Diana", "Alice"], ["Bob", "Frank"],
            ])
    }

    @Test("One source, several views")
    func views() throws {
        let presenter = try presenter()
        var narrow = presenter
        narrow.parameters.viewport = Viewport(width: 320, height: 480)
        #expect(presenter.laidOut.frames.contentSize.width == 390)
        #expect(narrow.laidOut.frames.contentSize.width == 320)
    }
}
