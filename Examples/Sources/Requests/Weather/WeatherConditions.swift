import Foundation

/// The weather at a place.
struct WeatherConditions: Codable, Hashable, Sendable {
  /// In one word.
  let summary: String
  /// In degrees Celsius.
  let temperature: Double
  /// A picture of it.
  let imageURL: URL

  private enum CodingKeys: String, CodingKey {
    // The decoder's strategy makes `imageUrl` of `image_url`.
    case summary, temperature, imageURL = "imageUrl"
  }
}
