@_exported public import BroadsheetClient
