/// The values of a member of a catalog or a page, as the OpenAPI document describes them.
///
/// The members of layouts, size rules and contents are declared with their forms.
package indirect enum MemberForm: Sendable {
    case any
    case bool
    case number
    /// A number of 0 or more.
    case magnitude
    case integer(ClosedRange<Int>)
    case string
    /// A string with a length.
    case text(ClosedRange<Int>)
    /// A JSON Pointer into the data of a cell.
    case pointer
    /// A value of the schema with a name.
    case named(String)
    /// A value of the schema with a name, which accepts null, but not null.
    case present(String)
    /// One of some strings, which are the schema with a name.
    case choice(String, [String])
    /// An array with a number of elements.
    case array(MemberForm, least: Int = 0, most: Int? = nil)

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ schema: String, _ type: Choice.Type
    ) -> MemberForm {
        .choice(schema, type.allCases.map(\.rawValue))
    }
}
