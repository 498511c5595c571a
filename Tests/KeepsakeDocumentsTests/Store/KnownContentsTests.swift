import Testing

@testable import KeepsakeDocuments

@Suite("What a store knows of its files") struct KnownContentsTests {
  typealias Content = KnownContents.Content

  @Test("is what was written, though it was read before that") func order() {
    var known = KnownContents()
    known.wrote(Content([1]), to: "a")
    let count = known.writeCount
    known.wrote(Content([2]), to: "a")
    known.wrote(Content([3]), to: "b")
    known.read(Content([1]), from: "a", after: count)
    #expect(known["a"]?.bytes == [2])
    // What somebody else wrote after it.
    known.read(Content([4]), from: "a", after: known.writeCount)
    #expect(known["a"]?.bytes == [4])
    known.read(Content([5]), from: "c", after: 0)
    #expect(known["c"]?.bytes == [5])
  }

  @Test("is the bytes of some, and the digest of all") func limit() {
    var known = KnownContents()
    let half = [UInt8](repeating: 1, count: KnownContents.byteLimit / 2)
    for name in ["a", "b", "c"] { known.set(Content(half), for: name) }
    #expect(known["a"]?.bytes != nil && known["b"]?.bytes != nil)
    #expect(known["c"]?.bytes == nil && known["c"]?.digest == ContentDigest(of: half))
    // There is room again.
    known.set(nil, for: "a")
    known.set(Content([2]), for: "b")
    known.set(Content(half), for: "c")
    #expect(known["c"]?.bytes == half)
  }

  @Test("is the bytes once they were read, where only the digest was") func bytesLater() {
    var known = KnownContents()
    var content = Content([1, 2])
    content.bytes = nil
    known.read(content, from: "a", after: 0)
    #expect(known["a"]?.bytes == nil && known.byteCount == 0)
    known.read(Content([1, 2]), from: "a", after: 0)
    #expect(known["a"]?.bytes == [1, 2] && known.byteCount == 2)
    // And stays.
    known.read(content, from: "a", after: 0)
    #expect(known["a"]?.bytes == [1, 2])
  }
}
