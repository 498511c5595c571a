/// An angle is kept in degrees, under that name.
extension Angle: Codable {
  enum CodingKeys: CodingKey {
    case degrees
  }

  /// Reads the degrees.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let degrees =
      try container
      .decode(Double.self, forKey: .degrees)
    self.init(degrees: degrees)
  }

  /// Writes the degrees.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(degrees, forKey: .degrees)
  }
}
