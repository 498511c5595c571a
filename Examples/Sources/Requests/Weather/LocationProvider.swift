/// What knows where the user is.
protocol LocationProvider: Sendable {
  /// Where the user is.
  func userLocation() async throws -> Location
}

/// A place that does not change, for machines without a receiver, and tests.
struct FixedLocation: LocationProvider {
  private let location: Location

  init(_ location: Location) { self.location = location }

  func userLocation() async throws -> Location { location }
}
