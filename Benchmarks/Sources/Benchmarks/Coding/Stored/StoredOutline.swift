import KeepsakeMacros

/// A country's border, as GeoJSON: little but coordinates.
@Storable struct StoredOutline: Equatable, Sendable {
  var type: String
  var features: [Feature]
}

extension StoredOutline {
  @Storable struct Feature: Equatable, Sendable {
    var type: String
    var properties: Properties
    var geometry: Geometry
  }
}

extension StoredOutline {
  @Storable struct Properties: Equatable, Sendable {
    var name: String
  }
}

extension StoredOutline {
  @Storable struct Geometry: Equatable, Sendable {
    var type: String
    var coordinates: [[[Double]]]
  }
}
