#if Console
import Dispatch
import KeepsakeFiles
import KeepsakeLoopback
import KeepsakeTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("The loopback token") struct LoopbackTokenTests {
  @Test("is different each time, unless it is saved") func tokens() throws {
    #expect(Loopback.Token().string != Loopback.Token().string)
    #expect(Loopback.Token().string.count == 64)
    try withTemporaryDirectory { root in
      let path = root.appending("state").appending("token")
      let token = try Loopback.Token(savedAt: path)
      #expect(try Loopback.Token(savedAt: path).string == token.string)
      let information = try #require(try LocalFileSystem().information(at: path))
      #expect(information.permissions == .ownerReadWrite)
      // A file that was cut is not a token.
      try LocalFileSystem().replaceFile(at: path, with: Array(token.string.utf8.prefix(8)))
      #expect(try Loopback.Token(savedAt: path).string.count == 64)
    }
  }

  @Test("is the same for all that start at the same moment") func simultaneousStarts() throws {
    try withTemporaryDirectory { root in
      for round in 0..<20 {
        let path = root.appending("\(round)").appending("token")
        let tokens = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
          let token = try? Loopback.Token(savedAt: path).string
          tokens.withLock { $0.append(token ?? "") }
        }
        let saved = try #require(try LocalFileSystem().readFile(at: path))
        #expect(Set(tokens.withLock(\.self)) == [String(decoding: saved, as: UTF8.self)])
      }
    }
  }
}
#endif
