import Foundation
import Testing

extension EndToEnd.Deployment {
    /// Tests of the files that `make package` has made.
    @Suite(.enabled(if: Packages.folder != nil, "`make package` has not been run on these sources"))
    struct PackageContents {
        /// The maximum size of the binary, in bytes.
        static let maxBinary = 26_500_000

        @Test(
            "A package has one stripped binary of at most 26.5 MB that needs no Swift library",
            arguments: Packages.Format.allCases)
        func binary(format: Packages.Format) throws {
            let root = try ScratchFolder()
            try format.unpack(into: root.path)
            let binary = root.path + format.binary
            let size = try FileManager.default.attributesOfItem(atPath: binary)[.size] as? Int
            #expect(try #require(size) <= Self.maxBinary)
            let libraries = try Packages.libraries(of: binary)
            #expect(!libraries.isEmpty)
            #expect(libraries.allSatisfy { !$0.contains("wift") && !$0.contains("Foundation") })
            let sections = try Shell.run(["readelf", "-SW", binary]).output
            #expect(!sections.contains(".symtab") && !sections.contains(".debug"))
            let executables = try Shell.run(["find", root.path, "-type", "f", "-perm", "/111"])
            #expect(executables.output == binary + "\n")
        }

        @Test(
            "A package has the unit, which names its binary, and the unit of the socket",
            arguments: Packages.Format.allCases)
        func unit(format: Packages.Format) throws {
            let root = try ScratchFolder()
            try format.unpack(into: root.path)
            let packaged = try String(contentsOfFile: root.path + format.unit, encoding: .utf8)
            let shipped = String(
                decoding: try Repository.contents("docs/deploy/broadsheet.service"), as: UTF8.self)
            #expect(packaged.contains("ExecStart=\(format.binary) serve\n"))
            #expect(packaged == shipped.replacing("/usr/local/bin/broadsheet", with: format.binary))
            let socket = try Data(contentsOf: URL(filePath: root.path + format.socketUnit))
            #expect(try Array(socket) == Repository.contents("docs/deploy/broadsheet.socket"))
        }

        @Test("The .deb depends on the packages of the libraries that its binary loads")
        func dependencies() throws {
            let root = try ScratchFolder()
            let format = Packages.Format.deb
            try format.unpack(into: root.path)
            let listed = try Shell.run(["dpkg-deb", "-f", try format.file(), "Depends"]).output
            let names = listed.split(separator: ",").compactMap { entry in
                entry.split { " \n(".contains($0) }.first.map(String.init)
            }
            for library in try Packages.libraries(of: root.path + format.binary) {
                let name = URL(filePath: library).lastPathComponent
                let owners = try Shell.run(["dpkg-query", "-S", "*/" + name]).output
                    .split(separator: "\n").compactMap { $0.split(separator: ":").first }
                #expect(owners.contains { names.contains(String($0)) }, "\(name): \(listed)")
            }
            #expect(!listed.contains("swift"))
            // These are loaded when a setting needs them, libcrypto for issuers of EdDSA.
            let recommended = try Shell.run(["dpkg-deb", "-f", try format.file(), "Recommends"])
            for name in ["libssl3", "libcurl4", "libpq5", "libharfbuzz0b"] {
                #expect(recommended.output.contains(name))
            }
        }

        @Test(
            "In a root without Swift, an unpacked daemon writes the tree of the first page",
            arguments: Packages.Format.allCases)
        func firstTree(format: Packages.Format) throws {
            let start = ContinuousClock.now
            let root = try BareRoot(format)
            let daemon = try root.start()
            let page = try Storefront.page(0)
            let put = try daemon.request("PUT", "/v1/screens/home/pages/0", body: page)
            let time = ContinuousClock.now - start
            #expect(put.status == 201, "\(put)")
            #expect(try put.tree().items(of: "ProductList").count == 8)
            print("\(format.rawValue): \(time) from unpacking to the first tree")

            let layout = try daemon.request("POST", "/v1/layout", body: page)
            #expect(try layout.body == TestDaemon().request("POST", "/v1/layout", body: page).body)
            #expect(try daemon.request("GET", "/metrics").status == 200)
            #expect(try daemon.stop() == .status(0))
            let stored = try root.start()
            #expect(try stored.request("GET", "/v1/screens/home/pages/0").body == page)
        }

        @Test("Without /proc a program receives no arguments, as docs/operations.md says")
        func noProc() throws {
            guard BareRoot.namespace != nil else {
                return print("cannot change the root, so nothing was tried without /proc")
            }
            let root = try BareRoot(.deb)
            // Dispatch traps without /proc, but not every time.
            for _ in 0..<20 {
                let without = try Shell.run(root.command(["version"], withProc: false))
                #expect(
                    without.status == 2 && without.errors.contains("which command?"), "\(without)")
            }
            let with = try Shell.run(root.command(["version"], withProc: true))
            let version = try Shell.broadsheet("version").output.prefix { $0 != "(" }
            // The root may lack the libraries that measure texts.
            #expect(with.output.hasPrefix(version), "\(with)")
        }

        @Test("`make install` installs below DESTDIR and PREFIX")
        func install() throws {
            let folder = try ScratchFolder()
            // The binary is taken as it is: a test does not build it.
            let outcome = try Shell.run([
                "make", "-s", "-C", Repository.folder, "-o", ".build-static/broadsheet", "install",
                "DESTDIR=\(folder.path)", "PREFIX=/opt/broadsheet",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let prefix = folder.path("opt/broadsheet")
            let version = try Shell.run([prefix + "/bin/broadsheet", "version"])
            #expect(try version.output == Shell.broadsheet("version").output)
            let unit = try String(
                contentsOfFile: prefix + "/lib/systemd/system/broadsheet.service", encoding: .utf8)
            #expect(unit.contains("ExecStart=/opt/broadsheet/bin/broadsheet serve\n"))
            let socket = prefix + "/lib/systemd/system/broadsheet.socket"
            #expect(FileManager.default.fileExists(atPath: socket))
            let documents = try FileManager.default.contentsOfDirectory(
                atPath: prefix + "/share/doc/broadsheet")
            #expect(documents.sorted() == ["CHANGELOG.md", "copyright", "nginx.conf"])
        }
    }
}
