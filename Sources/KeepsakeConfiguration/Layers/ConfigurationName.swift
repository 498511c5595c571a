#if Configuration
/// A key, equal however it is spelled: `BaseApiUrl`, `baseApiUrl` and `base_api_url` are one name, as
/// `--base-api-url` and `BASE_API_URL` are the same for all of them.
struct ConfigurationName: Hashable, Sendable {
  /// As it was asked for or stands in a file.
  let spelled: String
  /// The parts in lower case, their words joined by hyphens, and between them dots.
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

  /// The names of the dictionaries that the value would be in, the outermost first.
  var parents: [String] {
    id.indices.filter { id[$0] == "." }.map { String(id[..<$0]) }
  }

  static func == (a: Self, b: Self) -> Bool { a.id == b.id }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Words as swift-configuration tells them apart for arguments and variables.
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
