import BroadsheetServer
import BroadsheetService

extension Command {
    static let serve = Command(
        name: "serve", summary: "Runs the daemon", usage: ["serve [OPTION ...]"],
        discussion: """
            Every option can also be set by the environment variable shown with it, or by a
            member of its name in the --config file. A flag takes precedence over the
            environment, that over the file, and that over the default.

            Prints one line when it is ready, 'listening on http://ADDRESS:PORT', and logs to
            standard error. SIGTERM and SIGINT end it after the requests in flight; a second
            one ends it immediately. SIGHUP reads the keys and the catalog again.
            """,
        settings: ServeConfiguration.settings,
        configurationFile: \ServeConfiguration.configurationFile,
        run: { call async throws(CommandError) in
            if let operand = call.operands.first {
                throw .usage("serve takes no '\(operand)'; options begin with --")
            }
            return try await ServeCommand(
                configuration: try call.configuration(), console: call.console,
                variableWarnings: call.variableWarnings
            ).run()
        })
}

/// A run of `broadsheet serve`.
private struct ServeCommand: Sendable {
    let configuration: ServeConfiguration
    let console: Console
    let variableWarnings: [String]

    /// Runs the daemon until a signal ends it.
    func run() async throws(CommandError) -> ExitStatus {
        do throws(ServerError) {
            let address = try StoreAddress(configuration.store, in: console.environment)
            let server = ScreenServer(configuration.server, contents(of: address))
            try await server.run { [console] address throws(ServerError) in
                do throws(CommandError) {
                    try console.print("listening on http://\(address)\n")
                } catch {
                    throw ServerError(error)
                }
            }
        } catch {
            throw CommandError(error)
        }
        return .success
    }

    /// Returns the contents that the daemon serves; the keys and the catalog are read again at each
    /// SIGHUP.
    private func contents(of address: StoreAddress) -> ServerContents {
        var contents = ServerContents(
            keys: { () throws(ServerError) in
                do throws(CommandError) {
                    return try keys()
                } catch {
                    throw ServerError(error)
                }
            }, hasKeys: configuration.keys != nil,
            catalogs: { [configuration, console] () throws(ServerError) in
                do throws(CommandError) {
                    return try configuration.catalogFile.catalogs(
                        in: console, limits: configuration.service.limits)
                } catch {
                    throw ServerError(error)
                }
            },
            store: { [configuration] memory, log throws(ServerError) in
                let store = try address.open(
                    memory, for: configuration.service, configuration.server.storeAccess
                ) {
                    log.write(LogRecord($0))
                }
                return (store, "\(address)")
            })
        contents.isReadAgain = true
        contents.hasCatalogFile = configuration.catalog != nil
        contents.environment = console.environment
        contents.records = variableWarnings.map {
            LogRecord(.warning, "unknown environment variable", detail: $0)
        }
        return contents
    }

    /// Reads the file of keys, if there is one.
    ///
    /// - Throws: `CommandError.input` with a line for each violation, or one for a file that cannot
    ///   be read.
    private func keys() throws(CommandError) -> KeyRing? {
        guard let path = configuration.keys else { return nil }
        let bytes = try console.contents(
            of: path, for: "--keys",
            ifMissing: "'broadsheet key new NAME' makes a key and prints its line for this file")
        do throws(KeyFileError) {
            var ring = try KeyRing(bytes)
            ring.isReadableByAll = console.isReadableByAll(path)
            return ring
        } catch {
            throw .input(error.violations.map { "\(path):\($0.line): \($0.detail)" })
        }
    }
}
