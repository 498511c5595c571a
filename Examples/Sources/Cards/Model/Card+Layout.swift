import Stage

extension Card {
  /// A place for a new element at which it does not hide the last one.
  var freeOffset: CGSize {
    let step = Double(elements.count % 6) * 45
    return CGSize(width: step - 110, height: step - 110)
  }
}

extension CGSize {
  /// The largest size of the same form that fits into another.
  func fitted(in room: CGSize) -> CGSize {
    let factor = min(room.width / max(width, 1), room.height / max(height, 1))
    // A very long and narrow image can still be taken hold of.
    return CGSize(width: max(width * factor, 40), height: max(height * factor, 40))
  }
}
