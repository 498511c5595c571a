import Foundation
import KeepsakeBase
import KeepsakeCoding
import Testing

/// Containers and decoders that somebody keeps longer than the decoding lasts.
@Suite struct KeptContainerTests {
  /// Where values put what they were decoded from.
  ///
  /// `@unchecked`: a shelf is only used by the thread of the decoding that it is made for.
  final class Shelf: @unchecked Sendable {
    var containers: [KeyedDecodingContainer<Keeper.CodingKeys>] = []
    var decoders: [any Decoder] = []
  }

  static let shelf = CodingUserInfoKey(rawValue: "shelf")!

  struct Keeper: Decodable {
    enum CodingKeys: String, CodingKey { case name, padding, inner }
    var name: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if let shelf = decoder.userInfo[KeptContainerTests.shelf] as? Shelf {
        shelf.containers.append(container)
        shelf.decoders.append(decoder)
      }
      if container.contains(.inner) {
        _ = try container.decode(Keeper.self, forKey: .inner)
      }
      name = try container.decode(String.self, forKey: .name)
    }
  }

  struct Named: Decodable { var name: String }

  private func decoder(keeping shelf: Shelf?) -> JSON.Decoder {
    let decoder = JSON.Decoder()
    if let shelf { decoder.userInfo[Self.shelf] = shelf }
    return decoder
  }

  @Test("A container that was kept and released is not mistaken for the next text's")
  func aContainerThatWasKeptAndLet() throws {
    let plain = decoder(keeping: nil)
    for round in 0..<20 {
      let shelf = Shelf()
      let long = #"{"padding":["\#(String(repeating: "x", count: 50))",1,2,3],"name":"kept"}"#
      _ = try decoder(keeping: shelf).decode(Keeper.self, from: Array(long.utf8))
      shelf.containers = []
      shelf.decoders = []
      let name = "other \(round)"
      let text = Array(#"{"name":"\#(name)"}"#.utf8)
      #expect(try plain.decode(Keeper.self, from: text).name == name)
    }
  }

  @Test("A container and a decoder read on after decode has returned")
  func aContainerAndADecoderRead() throws {
    let shelf = Shelf()
    let text = Array(#"{"name":"one","inner":{"name":"two"}}"#.utf8)
    _ = try decoder(keeping: shelf).decode(Keeper.self, from: text)
    for round in 0..<10 {
      let other = Array(#"{"name":"other \#(round)"}"#.utf8)
      _ = try decoder(keeping: nil).decode(Keeper.self, from: other)
      let names = try shelf.containers.map { try $0.decode(String.self, forKey: .name) }
      #expect(names == ["one", "two"])
      #expect(shelf.containers[1].codingPath.map(\.stringValue) == ["inner"])
      #expect(try shelf.decoders.map { try Named(from: $0).name } == ["one", "two"])
    }
  }

  @Test("Many threads keep containers and release them") func manyThreadsKeepContainersAndRelease()
    async throws
  {
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          let shelf = Shelf()
          let decoder = JSON.Decoder()
          if worker % 2 == 0 { decoder.userInfo[Self.shelf] = shelf }
          for round in 0..<2_000 {
            let name = "\(worker).\(round)"
            let text = Array(#"{"inner":{"name":"i"},"name":"\#(name)"}"#.utf8)
            let decoded = try? decoder.decode(Keeper.self, from: text)
            #expect(decoded?.name == name)
            if round % 7 == 0 {
              shelf.containers = []
              shelf.decoders = []
            }
          }
        }
      }
    }
  }

  /// Decodes another text while it is decoded itself, and goes on.
  struct Reentrant: Decodable {
    enum CodingKeys: String, CodingKey { case depth, name }
    var name: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let depth = try container.decode(Int.self, forKey: .depth)
      if depth > 0 {
        let text = #"{"depth":\#(depth - 1),"name":"\#(depth - 1)"}"#
        let inner = try JSON.Decoder().decode(Reentrant.self, from: Array(text.utf8))
        #expect(inner.name == "\(depth - 1)")
        #expect(throws: DecodingError.self) {
          try JSON.Decoder().decode(Reentrant.self, from: Array(#"{"depth":0}"#.utf8))
        }
      }
      name = try container.decode(String.self, forKey: .name)
    }
  }

  @Test("A value may decode another text in the midst of its own") func aValueMayDecodeAnotherText()
    throws
  {
    let text = Array(#"{"name":"20","depth":20}"#.utf8)
    #expect(try JSON.Decoder().decode(Reentrant.self, from: text).name == "20")
  }
}
