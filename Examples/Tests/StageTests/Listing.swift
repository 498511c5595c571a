import Synchronization
import Testing

/// The source texts' listings of dictionaries and strings, of view and app code, and of cards.
enum Listing: String, CaseIterable {
  case h01, h02, h03, h04, h05, h06, h07, h08, h09, h10, h11, h12, h13, h14, h15, h16, h17, h18, h19
  case h20, h21
  case c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19
  case b01, b02

  private static let done = Mutex<Set<Listing>>([])

  /// Notes that listings have run and behaved; the last line of a test, which a failed requirement
  /// does not reach.
  static func ran(_ listings: Listing...) {
    done.withLock { $0.formUnion(listings) }
  }

  static var report: String {
    let missing = Set(allCases).subtracting(done.withLock { $0 }).map(\.rawValue).sorted()
    return "listings: \(allCases.count - missing.count) of \(allCases.count)"
      + (missing.isEmpty ? "" : ", without \(missing.joined(separator: " "))")
  }
}

/// Prints how many listings have run, after the suite has.
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

extension SuiteTrait where Self == ListingReport {
  static var listingReport: Self { ListingReport() }
}
