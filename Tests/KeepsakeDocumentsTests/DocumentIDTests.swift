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

  @Test("is a UUID in its usual form") func uuid() {
    for _ in 0..<1000 {
      let id = UUID()
      #expect(id.documentName == id.uuidString)
      #expect(UUID(documentName: id.uuidString) == id)
    }
    let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    for place in text.indices {
      for letter in ["G", "-", "é", "/", ":", "@", "`", "\u{0}"] {
        let changed = text.replacingCharacters(in: place...place, with: letter)
        let isHyphen = text[place] == "-" && letter == "-"
        #expect((UUID(documentName: changed) == nil) != isHyphen, "\(changed)")
      }
      #expect(UUID(documentName: String(text[..<place])) == nil)
    }
  }

  @Test("is refused where another text would be the same") func alias() {
    #expect(Int(documentName: "012") == nil)
    #expect(Int(documentName: "+1") == nil)
    #expect(UUID(documentName: "nonsense") == nil)
    #expect(UUID(documentName: UUID().uuidString.lowercased()) == nil)
  }
}
