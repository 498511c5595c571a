import Stage

/// Where an element is on its card, how large, and how far it is turned.
struct Transform: Equatable {
  var size = Settings.defaultElementSize
  var rotation = Angle.zero
  var offset = CGSize.zero
}

extension Transform: Codable {
  enum CodingKeys: CodingKey {
    case size, rotation, offset
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    size = try container.decodeIfPresent(CGSize.self, forKey: .size) ?? size
    rotation = try container.decodeIfPresent(Angle.self, forKey: .rotation) ?? rotation
    offset = try container.decodeIfPresent(CGSize.self, forKey: .offset) ?? offset
  }
}

extension Transform {
  /// The same as Stage moves it.
  var placement: Placement {
    get { Placement(size: size, rotation: rotation, offset: offset) }
    set {
      (size, rotation, offset) = (newValue.size, newValue.rotation, newValue.offset)
    }
  }
}
