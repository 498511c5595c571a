#if Macros
import Foundation
import KeepsakeCoding
import KeepsakeMacros
import Testing

@Storable
struct Person: Equatable {
  var name: String
  @Key("mail", aliases: "email", "e-mail") var address: String?
  var age = 0
}

struct StorableTests {
  @Test("A structure is read and written") func structure() throws {
    let person = try JSON.Decoder().decode(Person.self, from: Array(#"{"name":"a","email":"b"}"#.utf8))
    #expect(person == Person(name: "a", address: "b"))
    let text = String(decoding: try JSON.Encoder().encodeBytes(person), as: UTF8.self)
    #expect(text == #"{"name":"a","mail":"b","age":0}"#)
  }
}
#endif
