import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTesting
import Testing

@testable import KeepsakeSync

@Suite("A document that was changed here and elsewhere")
struct ReconciliationTests {
  private struct Shape: Codable, Identifiable, Sendable {
    var id: String
    var title = ""
    var width = 0
  }

  /// Documents of an app that has widths in centimetres, and from its version 2 on in millimetres.
  private func documents(
    version: Int?, _ resolution: DocumentConflict.Resolution = .keepBoth
  ) throws -> any SharedDocuments {
    var configuration = DocumentConfiguration()
    configuration.schema = version.map { version in
      DocumentSchema(
        version: version,
        migrations: [
          1: { object in
            guard case .number(let width)? = object["width"] else { return }
            object["width"] = .number(JSON.Number((width.integer(as: Int.self) ?? 0) * 10))
          }
        ])
    }
    let store = try DocumentStore<Shape>(
      directory: "/documents", pathExtension: "shape", configuration: configuration,
      fileSystem: SimulatedDisk())
    return try store.sharedDocuments { _ in resolution }
  }

  private func reconcile(
    _ documents: any SharedDocuments, base: String, ours: String, theirs: String
  ) throws -> Reconciliation {
    try documents.reconcile(
      "x.shape", base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8))
  }

  private let old = #"{"id":"x","title":"1","width":10}"#

  @Test("Texts of an older version are merged as the present version has them")
  func migrated() throws {
    let result = try reconcile(
      documents(version: 2), base: old,
      ours: #"{"id":"x","title":"2","width":100,"schemaVersion":2}"#,
      theirs: #"{"id":"x","title":"1","width":20}"#)
    guard case .merged(let text) = result, case .object(let merged) = try JSON.Value(parsing: text)
    else {
      Issue.record("\(result)")
      return
    }
    #expect(merged["title"] == .string("2") && merged["width"] == .number(JSON.Number(200)))
    #expect(merged["schemaVersion"] == .number(JSON.Number(2)))
  }

  @Test("What a newer version wrote is not merged with values that mean something else there")
  func newer() throws {
    let result = try reconcile(
      documents(version: 1), base: old, ours: #"{"id":"x","title":"1","width":20}"#,
      theirs: #"{"id":"x","title":"2","width":100,"schemaVersion":2}"#)
    if case .both = result {} else { Issue.record("\(result)") }
  }

  @Test("Where what is here counts, keys stay that only another version knows")
  func unknownKeys() throws {
    let result = try reconcile(
      documents(version: nil, .takeMine), base: old, ours: #"{"id":"x","title":"2","width":10}"#,
      theirs: #"{"id":"x","title":"3","width":10,"tags":["a"]}"#)
    guard case .merged(let text) = result, case .object(let merged) = try JSON.Value(parsing: text)
    else {
      Issue.record("\(result)")
      return
    }
    #expect(merged["title"] == .string("2") && merged["tags"] == .array([.string("a")]))
  }
}
