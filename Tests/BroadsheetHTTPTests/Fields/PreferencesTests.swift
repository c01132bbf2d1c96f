import BroadsheetHTTP
import Testing

@Suite("Preferences (RFC 7240)")
struct PreferencesTests {
    private func preferred(_ values: String...) -> Preferences.Return? {
        var headers = HTTPHeaders()
        for value in values { headers.append("prefer", value) }
        return Preferences(in: headers).return
    }

    @Test(
        "The preference return is read among others (RFC 7240 §2, §4.2)",
        arguments: [
            ("return=minimal", .minimal), ("return=representation", .representation),
            ("RETURN=minimal", .minimal), ("return=\"minimal\"", .minimal),
            ("return = minimal", .minimal), ("return=minimal; foo=\"a,b\"", .minimal),
            ("respond-async, wait=10, return=minimal", .minimal),
            ("handling=lenient,return=minimal", .minimal), (",, return=minimal", .minimal),
            ("return=minimal, return=representation", .minimal),
            ("foo; return=minimal", nil), ("return", nil), ("return=", nil),
            ("return=Minimal", nil), ("return=none", nil), ("", nil), ("=minimal", nil),
            ("return=\"minimal", nil), ("minimal", nil), ("foo=\"return=minimal\"", nil),
            ("foo=\"a, return=minimal\"", nil),
            ("foo=\"a\"; p=\"b, return=minimal\", x", nil),
            ("@@, return=minimal", .minimal),
        ] as [(String, Preferences.Return?)])
    func reading(value: String, expected: Preferences.Return?) {
        #expect(preferred(value) == expected)
    }

    @Test("Several lines form one list (RFC 7240 §2)")
    func lines() {
        #expect(preferred("wait=1", "return=minimal") == .minimal)
        #expect(preferred("return=representation", "return=minimal") == .representation)
        #expect(preferred() == nil)
    }
}
