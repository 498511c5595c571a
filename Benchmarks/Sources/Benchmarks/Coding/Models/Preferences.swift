import Foundation

/// What an app remembers of its user: a value of every type that a coder treats in its own way.
struct Preferences: Codable, Equatable, Sendable {
  var displayName: String
  var homePage: URL
  var supportPage: URL
  var deviceIdentifier: UUID
  var installedAt: Date
  var lastOpenedAt: Date
  var lastSyncedAt: Date?
  var avatarThumbnail: Data
  var monthlyBudget: Decimal
  var pricePerSession: Decimal
  var selectedTab: Int
  var launchCount: Int
  var soundVolume: Double
  var isSoundEnabled: Bool
  var isReminderEnabled: Bool
  var exerciseRatings: [Int]
  var favouriteExercises: [String]
  var recentSessions: [Session]

  struct Session: Codable, Equatable, Sendable {
    var startedAt: Date
    var exerciseIdentifier: UUID
    var durationInMinutes: Double
    var caloriesBurnt: Int
  }
}

extension Preferences {
  /// A value whose JSON has 1.1 KB.
  ///
  /// - Parameter fraction: What each date has beyond whole seconds.
  static func sample(fraction: Double) throws -> Preferences {
    var random = SampleRandom(seed: 44)
    func identifier() throws -> UUID {
      let digits = Array(random.hexadecimal(32))
      let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      return try UUID(uuidString: groups.joined(separator: "-")).unwrapped()
    }
    func date() -> Date {
      Date(timeIntervalSince1970: Double(random.number(1_700_000_000...1_790_000_000)) + fraction)
    }
    func page(_ text: String) throws -> URL { try URL(string: text).unwrapped() }
    return try Preferences(
      displayName: "Zoë Quartermain", homePage: page("https://example.com/people/zoe?tab=history"),
      supportPage: page("https://example.com/help"), deviceIdentifier: identifier(),
      installedAt: date(), lastOpenedAt: date(), lastSyncedAt: date(),
      avatarThumbnail: Data((0..<96).map { _ in UInt8(random.number(0...255)) }),
      monthlyBudget: Decimal(sign: .plus, exponent: -2, significand: 12_950),
      pricePerSession: Decimal(sign: .plus, exponent: -4, significand: 43_125), selectedTab: 3,
      launchCount: 1812, soundVolume: 0.65, isSoundEnabled: true, isReminderEnabled: false,
      exerciseRatings: [3, 1, 2, 4], favouriteExercises: ["Squat", "Step Up", "Burpee"],
      recentSessions: (0..<3).map { place in
        Session(
          startedAt: date(), exerciseIdentifier: try identifier(),
          durationInMinutes: 12.5 + Double(place), caloriesBurnt: 110 + place)
      })
  }
}

extension Optional {
  /// What a sample must have.
  func unwrapped() throws -> Wrapped {
    guard let self else { throw CocoaError(.coderInvalidValue) }
    return self
  }
}
