/// A country's border, as GeoJSON: little but coordinates.
struct Outline: Codable, Equatable, Sendable {
  var type: String
  var features: [Feature]
}

extension Outline {
  struct Feature: Codable, Equatable, Sendable {
    var type: String
    var properties: Properties
    var geometry: Geometry
  }
}

extension Outline {
  struct Properties: Codable, Equatable, Sendable {
    var name: String
  }
}

extension Outline {
  struct Geometry: Codable, Equatable, Sendable {
    var type: String
    var coordinates: [[[Double]]]
  }
}
