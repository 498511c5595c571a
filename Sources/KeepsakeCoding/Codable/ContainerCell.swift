/// What a cache of containers says of one of its containers.
protocol ContainerCell {
  /// Frees what only the cell refers to; the cell is not used again.
  func free()
}

extension ContainerCell {
  func free() {}
}
