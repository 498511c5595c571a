package import SystemPackage

extension FilePath {
  /// The path for a message: of more than 200 characters, the first 80 and the last 117.
  package var shortened: String {
    string.count <= 200 ? string : "\(string.prefix(80))...\(string.suffix(117))"
  }
}
