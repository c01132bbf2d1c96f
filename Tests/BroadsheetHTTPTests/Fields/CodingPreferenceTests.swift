import BroadsheetHTTP
import Testing

@Suite("Accept-Encoding (RFC 9110 §12.5.3)")
struct CodingPreferenceTests {
    private func preference(_ values: String...) -> CodingPreference {
        var headers = HTTPHeaders()
        for value in values { headers.append("accept-encoding", value) }
        return CodingPreference(in: headers)
    }

    @Test(
        "The coding with the greater weight is preferred, and gzip of equal ones",
        arguments: [
            ("gzip", .gzip), ("GZip", .gzip), ("x-gzip", .gzip), ("gzip, deflate, br", .gzip),
            ("br;q=1.0, gzip;q=0.8, *;q=0.1", .gzip), ("gzip;q=0.001", .gzip),
            ("gzip;q=1.000", .gzip), ("gzip ; q=0.5", .gzip), ("gzip\t;\tQ=1", .gzip),
            ("gzip;q=0.5, identity;q=0.5", .gzip), ("identity, gzip", .gzip),
            ("*", .gzip), ("*;q=0.5", .gzip), ("br, *", .gzip),
            ("gzip;q=0.5, identity", .identity), ("gzip;q=0.4, *;q=0.5", .identity),
            ("gzip;q=0", .identity), ("gzip;q=0.0", .identity), ("gzip;q=0.000, *", .identity),
            ("br, deflate", .identity), ("identity", .identity), ("", .identity),
            ("*, gzip;q=0", .identity),
            ("gzip, identity;q=0", .gzipOnly), ("identity;q=0, *", .gzipOnly),
            ("gzip, *;q=0", .gzipOnly), ("gzip;q=0.1, *;q=0", .gzipOnly),
            ("*;q=0", .identity), ("identity;q=0", .identity),
            ("gzip;q=0, identity;q=0", .identity),
        ] as [(String, CodingPreference)])
    func weights(value: String, expected: CodingPreference) {
        #expect(preference(value) == expected)
    }

    @Test(
        "A malformed element is ignored",
        arguments: [
            "gzip;q=2", "gzip;q=1.001", "gzip;q=0.0001", "gzip;q=-1", "gzip;q=", "gzip;q",
            "gzip;", "gzip;q=.5", "gzip;x=1", "gzip;q=1;x=1", "gzip q=1", "gzip/1", "gzi", "gzipp",
            "\"gzip\"", ";q=1", "=gzip", "**", "gzip; q = 1",
        ])
    func malformed(value: String) {
        #expect(preference(value) == .identity)
        #expect(preference("\(value), gzip") == .gzip)
    }

    @Test(
        "Lines form one list, empty elements are ignored, and the first weight of a coding counts")
    func lines() {
        #expect(preference() == .identity)
        #expect(preference("br", "gzip") == .gzip)
        #expect(preference(", ,", ",gzip,") == .gzip)
        #expect(preference("gzip;q=0", "gzip") == .identity)
    }
}
