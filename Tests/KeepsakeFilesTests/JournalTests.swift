import KeepsakeBase
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeFiles

@Suite("Journals")
struct JournalTests {
  private let files = LocalFileSystem()

  /// Appends payloads to a new journal, and returns its bytes and the end of each frame.
  private func write(
    _ payloads: [[UInt8]], to path: FilePath
  ) throws -> (bytes: [UInt8], ends: [Int]) {
    var journal = try Journal(opening: path, .appendCreating, in: files)
    var ends: [Int] = []
    for payload in payloads {
      let range = try journal.append { bytes in payload.withUnsafeBytes { bytes.append($0) } }
      #expect(Int(range.lowerBound) == ends.last ?? 0)
      ends.append(Int(range.upperBound))
    }
    return (try files.readFile(at: path)!, ends)
  }

  /// What a reader finds: payloads, gaps, how many gaps are torn, and the tail.
  private struct Found: Equatable {
    var payloads: [[UInt8]] = []
    var gaps: [Range<Int64>] = []
    var tornGaps = 0
    var tail = Journal.Tail.none
  }

  private func read(_ path: FilePath) throws -> Found {
    var found = Found()
    var journal = try Journal(opening: path, .read, in: files)
    found.tail = try journal.read { item in
      switch item {
      case .record(let payload, _): found.payloads.append(Array(payload))
      case .gap(let range, let isTorn):
        found.gaps.append(range)
        if isTorn { found.tornGaps += 1 }
      }
      return true
    }
    return found
  }

  private func put(_ bytes: some Collection<UInt8>, at path: FilePath) throws {
    if try files.information(at: path) != nil { try files.remove(path) }
    try files.replaceFile(at: path, with: Array(bytes))
  }

  @Test("The rest of a short write is never appended, as others may have appended meanwhile")
  func shortWrite() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("journal")
      var other = try Journal(opening: path, .appendCreating, in: files)
      let theirs = [UInt8](repeating: 2, count: 50)
      _ = try other.append { bytes in theirs.withUnsafeBytes { bytes.append($0) } }
      let between = try files.readFile(at: path)!
      let short = ShortFileSystem(between: between)
      var journal = try Journal(opening: path, .append, in: short)
      let own = [UInt8](repeating: 1, count: 100)
      let range = try journal.append { bytes in own.withUnsafeBytes { bytes.append($0) } }
      var found = try read(path)
      #expect(found.payloads == [theirs, theirs, own])
      #expect(found.tornGaps == 1 && found.gaps.count == 1 && found.tail == .none)
      #expect(try files.information(at: path)?.size == range.upperBound)
      // The second attempt is short, too: it throws, and no reader returns half a record.
      journal = try Journal(opening: path, .append, in: ShortFileSystem(between: between, times: 2))
      #expect(throws: FileError.self) {
        _ = try journal.append { bytes in own.withUnsafeBytes { bytes.append($0) } }
      }
      found = try read(path)
      #expect(found.payloads == [theirs, theirs, own, theirs, theirs])
    }
  }

  @Test("Any payload can be read back, including the marker's own bytes")
  func payloads() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let marker: [UInt8] = [0xF5, 0x4B, 0x53, 0x4A]
      var payloads: [[UInt8]] = [
        [], [0], marker, marker + marker, Array(marker.dropLast()), [0xF5], [0xF5, 0x4B],
        Array(marker.dropLast()) + [0], Array(marker.dropLast()) + [0, 0x4A],
        [0xF5, 0xF5, 0x4B, 0x53, 0x4A, 0xF5], [UInt8](repeating: 0xF5, count: 300),
        (0..<100).flatMap { _ in marker },
      ]
      var random = SeededRandom(seed: 5)
      for _ in 0..<300 {
        // Bytes that often form a marker.
        payloads.append(
          (0..<Int(random.next() % 40)).map { _ in
            [0xF5, 0x4B, 0x53, 0x4A, 0][Int(random.next() % 5)]
          })
      }
      let path = directory.appending("journal")
      let (bytes, ends) = try write(payloads, to: path)
      #expect(try read(path) == Found(payloads: payloads))
      // Markers occur only where frames begin.
      bytes.withUnsafeBytes { bytes in
        var starts: [Int] = []
        var position = Frame.marker(in: bytes, from: 0)
        while let start = position {
          starts.append(start)
          position = Frame.marker(in: bytes, from: start + 1)
        }
        #expect(starts == [0] + ends.dropLast())
      }
    }
  }

  @Test("P1: A journal that is cut at any byte and appended to loses only the cut record")
  func truncation() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("journal")
      let payloads: [[UInt8]] = [[1, 2, 3], Array(0..<50), [0xF5, 0x4B, 0x53, 0x4A, 9], [7]]
      let (bytes, ends) = try write(payloads, to: path)
      for length in bytes.indices {
        try put(bytes[..<length], at: path)
        let whole = ends.filter { $0 <= length }.count
        let isTorn = length > 0 && !ends.contains(length)
        #expect(
          try read(path)
            == Found(payloads: Array(payloads[..<whole]), tail: isTorn ? .torn : .none),
          "cut at \(length)")
        try put(bytes[..<length], at: path)
        var journal = try Journal(opening: path, .append, in: files)
        _ = try journal.append { $0.append(42 as UInt8) }
        let start = Int64(whole == 0 ? 0 : ends[whole - 1])
        #expect(
          try read(path)
            == Found(
              payloads: payloads[..<whole] + [[42]], gaps: isTorn ? [start..<Int64(length)] : [],
              tornGaps: isTorn ? 1 : 0),
          "cut at \(length), appended to")
      }
    }
  }

  @Test("P3: Changing any bit loses at most one record")
  func bitFlips() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("journal")
      let payloads: [[UInt8]] = [[1, 2, 3], [0xF5, 0x4B, 0x53, 0x4A, 9], Array(0..<20), [7]]
      let (bytes, ends) = try write(payloads, to: path)
      for index in bytes.indices {
        for bit in 0..<8 {
          var damaged = bytes
          damaged[index] ^= 1 << bit
          try put(damaged, at: path)
          let record = ends.firstIndex { index < $0 }!
          var expected = payloads
          expected.remove(at: record)
          let found = try read(path)
          #expect(found.payloads == expected, "bit \(bit) of byte \(index)")
          #expect(
            record == payloads.count - 1 ? found.tail != .none : found.gaps.count == 1,
            "bit \(bit) of byte \(index)")
        }
      }
    }
  }

  @Test(
    "P9: A journal of invalid markers and lengths is read in linear time", .timeLimit(.minutes(10)))
  func linearTime() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("journal")
      // Each marker claims a frame that reaches the end of the file.
      let claim: [UInt8] = [0xF5, 0x4B, 0x53, 0x4A, 1, 2, 3, 4, 5, 0x7F, 0x7F, 0x7F, 0x00]
      let whole = try write([[1]], to: directory.appending("whole")).bytes
      for chunk in [claim, [0xF5], [0xF5, 0x4B, 0x53], [0]] as [[UInt8]] {
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20 { bytes += chunk }
        try put(bytes + whole, at: path)
        #expect(try read(path).payloads == [[1]])
      }
    }
  }

  @Test("P5: A journal has every record of four processes once, in each writer's order")
  func concurrentAppends() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("journal")
      let workers = try (0..<4).map { number in
        try Worker(["append", path.string, "\(number)", "2000"])
      }
      for worker in workers { #expect(try worker.readLine() == "done") }
      let found = try read(path)
      #expect(found.payloads.count == 8000 && found.gaps.isEmpty && found.tail == .none)
      for number in 0..<4 as Range<UInt8> {
        let own = found.payloads.filter { $0[0] == number }
        #expect(own.map { Int($0[1]) | Int($0[2]) << 8 } == Array(0..<2000))
      }
    }
  }
}

/// A file system whose appends are short while another program appends.
private struct ShortFileSystem: ForwardingFileSystem {
  let base = LocalFileSystem()
  let between: [UInt8]
  var times = 1

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    ShortFile(base: try base.open(path, mode), between: between, times: times)
  }
}

private final class ShortFile: ForwardingFile {
  let base: any OpenFile
  private let between: [UInt8]
  private let times: Mutex<Int>

  init(base: any OpenFile, between: [UInt8], times: Int) {
    self.base = base
    self.between = between
    self.times = Mutex(times)
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> (end: Int64, count: Int) {
    let isShort = times.withLock { times in
      defer { times -= 1 }
      return times > 0
    }
    if !isShort { return try base.append(bytes) }
    let result = try base.append(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]))
    let others = between.withUnsafeBytes { bytes in
      Result { () throws(FileError) in try base.append(bytes) }
    }
    _ = try others.get()
    return result
  }
}
