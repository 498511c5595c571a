import Foundation
import KeepsakeBase
import Testing

/// The 62 listings of the chapter about `Codable` that these coders are to serve, by number.
enum Listing {
  static let all = Set(1...62)
  private static let done = Mutex<Set<Int>>([])

  /// Notes that listings have run and behaved; the last line of a test, which a failed requirement
  /// does not reach.
  static func ran(_ listings: Int...) {
    done.withLock { $0.formUnion(listings) }
  }

  /// K10 shows the bytes as a `UIImage`, which only Apple's platforms have.
  static var report: String {
    let missing = all.subtracting(done.withLock { $0 }).sorted().map { "K\($0)" }
    return "listings: \(all.count - missing.count) of \(all.count)"
      + (missing.isEmpty ? "" : ", without \(missing.joined(separator: " "))")
  }
}

/// Prints how many listings have run, after the suites have.
struct ListingReport: SuiteTrait, TestScoping {
  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await function()
    print(Listing.report)
  }
}

/// What the services of the chapter answer.
enum API {
  enum Fixture: String {
    case person
    case rwBooks = "books"
    case rwBooksKebab = "books-kebab"
    case magicCards = "cards"
    case stockOneMinute = "stock-1min"
    case stockFifteenMinutes = "stock-15min"
  }

  static func getData(for fixture: Fixture) throws -> Data {
    let directory = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    return try Data(contentsOf: directory.appendingPathComponent(fixture.rawValue + ".json"))
  }
}

/// What listings print.
struct Output {
  private(set) var lines: [String] = []

  /// `print`, kept.
  mutating func print(_ items: Any...) {
    lines.append(items.map { "\($0)" }.joined(separator: " "))
  }
}

/// The chapter's listings, each in the state in which a step of it leaves the code.
@Suite(ListingReport())
enum Listings {}

/// The key of any name.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init?(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init?(intValue: Int) {
    self.intValue = intValue
    stringValue = "\(intValue)"
  }
}
