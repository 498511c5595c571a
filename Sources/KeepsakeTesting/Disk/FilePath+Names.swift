import SystemPackage

extension FilePath {
  /// The names from the root to the end of the path.
  ///
  /// `FilePath.components` validates so much in debug builds that explorations would take twice as
  /// long.
  var names: [String] {
    var names: [String] = []
    for name in withPlatformString({ String(cString: $0) }).split(separator: "/") {
      switch name {
      case ".": break
      case "..": _ = names.popLast()
      default: names.append(String(name))
      }
    }
    return names
  }
}
