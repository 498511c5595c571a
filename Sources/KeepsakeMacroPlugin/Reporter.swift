#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Takes the errors of a declaration, and remembers that there were some.
final class Reporter {
  private(set) var hasErrors = false
  private let diagnose: (Diagnostic) -> Void

  init(_ diagnose: @escaping (Diagnostic) -> Void = { _ in }) { self.diagnose = diagnose }

  func error(_ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
    hasErrors = true
    diagnose(Diagnostic(node: node, message: Problem(message), fixIts: fixIts))
  }
}

/// What is wrong with a declaration, or how it can be repaired.
struct Problem: DiagnosticMessage, FixItMessage {
  let message: String
  let severity = DiagnosticSeverity.error

  init(_ message: String) { self.message = message }

  var diagnosticID: MessageID { MessageID(domain: "KeepsakeMacros", id: message) }
  var fixItID: MessageID { diagnosticID }
}
#endif
