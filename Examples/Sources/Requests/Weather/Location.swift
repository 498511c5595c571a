/// A place on Earth, in degrees.
struct Location: Codable, Hashable, Sendable {
  var latitude: Double
  var longitude: Double

  init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
