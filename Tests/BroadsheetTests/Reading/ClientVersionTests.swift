import Testing

@testable import Broadsheet

@Suite("Clients and their versions (docs/clients.md, Client and flags)")
struct ClientVersionTests {
    @Test("Versions are compared number by number, and those left out are 0")
    func order() throws {
        let ascending = ["0", "0.0.0.1", "1", "1.0.1", "1.2", "1.10", "5.2.1", "5.3", "10"]
        let versions = try ascending.map { try #require(ClientVersion($0)) }
        for (index, version) in versions.enumerated() {
            #expect(versions.indices.filter { versions[$0] < version } == Array(0..<index))
        }
    }

    @Test(
        "Equal versions have one description",
        arguments: [("5.2.0", "5.2"), ("05.02", "5.2"), ("0.0", "0"), ("5.0.1.0", "5.0.1")])
    func canonical(text: String, description: String) throws {
        let version = try #require(ClientVersion(text))
        #expect(version == ClientVersion(description))
        #expect(version.description == description)
    }

    @Test(
        "Another text is not a client",
        arguments: [
            "", "ios", "ios/", "/5", "iOS/5", "ios/5.", "ios/.5", "ios/5.2.1.0.1", "ios/5..2",
            "ios/-5", "ios/+5", "ios/5 ", " ios/5", "ios/1234567890123456", "ios/5/2", "i_s/5",
            "ios/５", "\(String(repeating: "a", count: 33))/1",
        ])
    func malformed(text: String) { #expect(Client(text) == nil) }

    @Test("The longest names and numbers are accepted")
    func limits() throws {
        let platform = String(repeating: "a", count: 32)
        let client = try #require(Client("\(platform)/999999999999999.999999999999999"))
        #expect(client.description == "\(platform)/999999999999999.999999999999999")
        #expect(client.platform == platform)
    }

    @Test("Flags are a set of at most 64 names of at most 64 characters")
    func flags() throws {
        #expect(ClientFlags.list("b,a,b") == ["a", "b"])
        #expect(ClientFlags.list("") == [])
        #expect(ClientFlags.list("newCart,x.y_z-1") == ["newCart", "x.y_z-1"])
        let names = (0..<64).map { "flag\($0)" }
        #expect(ClientFlags.list(names.joined(separator: ","))?.texts.count == 64)
        #expect(ClientFlags.list((names + ["flag0"]).joined(separator: ","))?.texts.count == 64)
        let long = String(repeating: "f", count: 64)
        #expect(ClientFlags.list(long) != nil)
        for text in [",", "a,", ",a", "a,,b", "a b", "ä", "a/b", long + "f"] {
            #expect(ClientFlags.list(text) == nil, "\(text)")
        }
        #expect(ClientFlags.list((names + ["more"]).joined(separator: ",")) == nil)
    }
}
