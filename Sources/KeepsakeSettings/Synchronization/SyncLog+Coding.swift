import KeepsakeCoding

// In files, as JSON: a log in the property list, an update in a record of the journal.

extension SyncLog {
  init?(_ text: String) {
    guard let log = try? JSON.Decoder().decode(Self.self, from: Array(text.utf8)) else {
      return nil
    }
    self = log
  }

  var text: String { Self.text(of: self) }

  fileprivate static func text(of value: some Encodable) -> String {
    guard let bytes = try? JSON.Encoder().encodeToBytes(value) else {
      preconditionFailure("strings and integers can be encoded")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension SyncLog.Update {
  init?(_ text: String) {
    guard let update = try? JSON.Decoder().decode(Self.self, from: Array(text.utf8)) else {
      return nil
    }
    self = update
  }

  var text: String { SyncLog.text(of: self) }
}

extension SyncLog.Number: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let number = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not the number of a change.")
    }
    self = number
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension SyncLog: Codable {
  private enum CodingKeys: CodingKey {
    case cluster, revision, origin, earlierOrigins, usedOrigins, changes, replaced, doubt
  }

  /// A change and its name. Not keys of a dictionary, where names that look the same would be one.
  private struct Numbered: Codable {
    var name: String
    var number: Number
    /// Left out of all others.
    var isOffer: Bool?
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var changes: [SettingsName: Change] = [:]
    for (origin, numbers) in try container.decode(
      [String: [Numbered]].self, forKey: .changes)
    {
      for change in numbers {
        changes[SettingsName(change.name)] = Change(
          origin: origin, number: change.number, isOffer: change.isOffer ?? false)
      }
    }
    self.init(
      cluster: try container.decodeIfPresent(String.self, forKey: .cluster),
      revision: try container.decode(UInt64.self, forKey: .revision),
      origin: try container.decode(String.self, forKey: .origin),
      earlierOrigins: try container.decodeIfPresent([String].self, forKey: .earlierOrigins) ?? [],
      usedOrigins: try container.decodeIfPresent([String].self, forKey: .usedOrigins) ?? [],
      changes: changes,
      replaced: try container.decodeIfPresent([String: Number].self, forKey: .replaced) ?? [:],
      doubt: try container.decodeIfPresent(Doubt.self, forKey: .doubt))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(cluster, forKey: .cluster)
    try container.encode(revision, forKey: .revision)
    try container.encode(origin, forKey: .origin)
    if !earlierOrigins.isEmpty { try container.encode(earlierOrigins, forKey: .earlierOrigins) }
    if !usedOrigins.isEmpty { try container.encode(usedOrigins, forKey: .usedOrigins) }
    var numbers: [String: [Numbered]] = [:]
    for (name, change) in changes {
      let numbered = Numbered(
        name: name.string, number: change.number, isOffer: change.isOffer ? true : nil)
      numbers[change.origin, default: []].append(numbered)
    }
    try container.encode(numbers, forKey: .changes)
    if !replaced.isEmpty { try container.encode(replaced, forKey: .replaced) }
    try container.encodeIfPresent(doubt, forKey: .doubt)
  }
}

extension SyncLog.Update: Codable {
  private enum CodingKeys: CodingKey {
    case cluster, revision, origin, shown, log, doubt, claims, offers, withdrawals
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func names(_ key: CodingKeys) throws -> [SettingsName] {
      try container.decodeIfPresent([String].self, forKey: key)?.map(SettingsName.init) ?? []
    }
    self.init()
    cluster = try container.decodeIfPresent(String.self, forKey: .cluster)
    revision = try container.decodeIfPresent(UInt64.self, forKey: .revision)
    origin = try container.decodeIfPresent(String.self, forKey: .origin)
    shown = try container.decode([String: SyncLog.Number].self, forKey: .shown)
    log = try container.decodeIfPresent(SyncLog.self, forKey: .log)
    doubt = try container.decodeIfPresent(SyncLog.Doubt.self, forKey: .doubt)
    claims = try names(.claims)
    offers = try names(.offers)
    withdrawals = try names(.withdrawals)
  }

  /// Most have no names.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(cluster, forKey: .cluster)
    try container.encodeIfPresent(revision, forKey: .revision)
    try container.encodeIfPresent(origin, forKey: .origin)
    try container.encode(shown, forKey: .shown)
    try container.encodeIfPresent(log, forKey: .log)
    try container.encodeIfPresent(doubt, forKey: .doubt)
    for (key, names) in [
      (CodingKeys.claims, claims), (.offers, offers), (.withdrawals, withdrawals),
    ] where !names.isEmpty {
      try container.encode(names.map(\.string), forKey: key)
    }
  }
}
