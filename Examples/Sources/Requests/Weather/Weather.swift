import Foundation
import HTTPTypes

/// The weather where the user is, with its picture: three steps, of which each needs the one before.
struct Weather: Sendable {
  private let location: any LocationProvider
  private let client: RequestClient

  init(location: some LocationProvider, client: RequestClient) {
    self.location = location
    self.client = client
  }

  /// Where the user is.
  func userLocation() async throws -> Location { try await location.userLocation() }

  /// The weather at a place.
  func weatherConditions(for location: Location) async throws -> WeatherConditions {
    try await client.send(Request(path: "weather", query: location))
  }

  /// The bytes of a picture.
  func image(from url: URL) async throws -> [UInt8] { try await client.data(from: url) }

  /// The picture of the weather where the user is.
  func currentImage() async throws -> [UInt8] {
    let location = try await userLocation()
    let conditions = try await weatherConditions(for: location)
    return try await image(from: conditions.imageURL)
  }
}
