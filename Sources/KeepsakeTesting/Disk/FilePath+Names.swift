import SystemPackage

extension FilePath {
  /// The names from the root to the path's end.
  ///
  /// The path's own components check themselves so thoroughly in a debug build that explorations
  /// would take twice as long.
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
