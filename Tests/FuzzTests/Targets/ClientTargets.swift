import Broadsheet
import TestSupport

extension FuzzTarget {
    /// Names of clients and flags, and conditions: all that is read has one spelling, and a
    /// condition that is not read is a violation inside of it.
    static let condition = FuzzTarget("condition", conditionSeeds) { input, _ in
        let text = input.text
        if let client = Client(text) {
            try require(Client(client.description) == client, "a client reads differently")
        }
        if let flags = ClientFlags.list(text) {
            let again = ClientFlags.list(flags.texts.joined(separator: ","))
            try require(again == flags, "flags read differently")
        }
        guard let catalog = try? Catalog(Array(conditionCatalog.utf8)),
            (try? JSONDocument(input)) != nil
        else { return }
        let unit = #"{"unitType": "U", "unitData": {}, "when": \#(text)}"#
        let other = #"{"unitType": "U", "unitData": {}, "when": {"client": {"ios": "<5"}}}"#
        let page = Array(#"{"sections": [[\#(unit), \#(other)]]}"#.utf8)
        let composer = Composer(registry: catalog.registry)
        for client in [nil, "ios/4.9", "ios/5", "web/1"] {
            var parameters = LayoutParameters()
            parameters.client = client.flatMap(Client.init)
            parameters.flags = ["a"]
            let tree = Result(catching: { () throws(ComposeError) in
                try composer.compose(page, parameters)
            })
            switch tree {
            case .success(let tree):
                try require(tree == composer.compose(page, parameters), "trees differ")
            case .failure(.invalidContract(let error, _)):
                try require(
                    error.violations.allSatisfy { $0.pointer.hasPrefix("/sections/0/0/when") },
                    "a violation elsewhere: \(error.violations)")
            case .failure(.invalidJSON): break
            case .failure(let error): throw FuzzFailure("another error: \(error)")
            }
        }
    }

    private static let conditionCatalog =
        #"{"cellTypes": {"C": {}}, "units": {"U": {"cell": {"type": "C"}}}}"#

    private static let conditionSeeds = [
        "ios/5.2.1", "web/999999999999999.0.0.0", "newCart,b,a.b_c-d", "null", "{}",
        #"{"client": {"ios": ">=5.2", "android": ">=5.0 <7"}, "flags": ["newCart"]}"#,
        #"{"without": ["holdout"], "width": ">=600.5 <1024", "client": null}"#,
        #"{"client": {"ios": "=5 >4  <=6"}, "flags": [], "width": "<1"}"#,
    ]
}
