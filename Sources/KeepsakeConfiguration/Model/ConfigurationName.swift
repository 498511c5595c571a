#if Configuration
/// A key; all of its spellings are equal: `BaseApiUrl`, `baseApiUrl` and `base_api_url`, because
/// `--base-api-url` and `BASE_API_URL` stand for each of them.
struct ConfigurationName: Hashable, Sendable {
  /// The key as it was requested, or as a file spells it.
  let spelled: String
  /// The parts in lower case, with hyphens between words and dots between parts.
  let id: String

  /// The whole configuration.
  static let root = ConfigurationName("")

  init(_ spelled: String) {
    self.spelled = spelled
    id = spelled.split(separator: ".").map(Self.hyphenated).joined(separator: ".")
  }

  private init(spelled: String, id: String) {
    self.spelled = spelled
    self.id = id
  }

  func appending(_ key: String) -> ConfigurationName {
    let key = ConfigurationName(key)
    if id.isEmpty { return key }
    return ConfigurationName(spelled: "\(spelled).\(key.spelled)", id: "\(id).\(key.id)")
  }

  var parts: [String] { id.split(separator: ".").map(String.init) }

  /// The names of the dictionaries that would contain the value, the outermost first.
  var parents: [String] {
    id.indices.filter { id[$0] == "." }.map { String(id[..<$0]) }
  }

  static func == (a: Self, b: Self) -> Bool { a.id == b.id }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Separates words as swift-configuration does for arguments and variables.
  private static func hyphenated(_ part: Substring) -> String {
    var result = ""
    var previous: Character = " "
    for character in part {
      if previous.isLowercase && character.isUppercase { result += "-" }
      result += character == "_" || character == " " ? "-" : character.lowercased()
      previous = character
    }
    return result
  }
}
#endif
