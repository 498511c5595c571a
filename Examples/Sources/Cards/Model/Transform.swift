import KeepsakeMacros
import Stage

/// Where an element is on its card, how large, and how far it is turned.
@Storable
struct Transform: Equatable {
  var size = Settings.defaultElementSize
  var rotation = Angle.zero
  var offset = CGSize.zero
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
