/// How a store keeps its documents.
public struct DocumentConfiguration: Sendable {
  /// The version of the documents' form; `nil` where they have none, which is version 1 if they get
  /// one later.
  public var schema: DocumentSchema?
  /// How many past versions of each document are kept.
  public var versionsKept = 10
  /// How long after an edit a live document is saved at the latest.
  public var autosaveDelay = Duration.seconds(1)
  /// What is taken as an asset.
  public var assetLimits = AssetLimits()
  /// What the documents' types find in the `userInfo` of their encoders and decoders, such as the key
  /// of their encrypted properties.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// The clock that autosaving goes by.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// The usual way.
  public init() {}

  /// The usual way, with documents whose form has a version.
  public init(schema: DocumentSchema) {
    self.schema = schema
  }
}
