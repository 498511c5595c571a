import Foundation
import KeepsakeDocuments
import Testing

@Suite("The identity of a document") struct DocumentIDTests {
  @Test("comes back from its text") func roundTrip() {
    let id = UUID()
    #expect(UUID(documentName: id.documentName) == id)
    #expect(String(documentName: "a/b") == "a/b")
    #expect(Int(documentName: "-12") == -12)
  }

  @Test("is refused where another text would be the same") func alias() {
    #expect(Int(documentName: "012") == nil)
    #expect(Int(documentName: "+1") == nil)
    #expect(UUID(documentName: "nonsense") == nil)
    #expect(UUID(documentName: UUID().uuidString.lowercased()) == nil)
  }
}
