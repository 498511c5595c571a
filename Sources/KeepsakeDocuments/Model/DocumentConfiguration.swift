public import KeepsakeCoding

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
  /// How dates, data and numbers that JSON has no text for are written and read.
  public var coding = Coding()
  /// What the documents' types find in the `userInfo` of their encoders and decoders, such as the key
  /// of their encrypted properties.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// The clock that autosaving goes by.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// How values are written and read that can have several forms in JSON.
  ///
  /// Unless what is written is read as the same value, a document that was loaded differs from the one
  /// that was saved.
  public struct Coding: Sendable {
    /// How dates are written; by default as RFC 3339 text that restores the same date.
    public var dateEncodingStrategy = JSON.Encoder.DateEncodingStrategy.iso8601Exact
    /// How dates are read; by default from RFC 3339 text, and from seconds since 2001.
    public var dateDecodingStrategy = JSON.Decoder.DateDecodingStrategy.iso8601Exact
    /// How data is written; by default as base64 text.
    public var dataEncodingStrategy = JSON.Encoder.DataEncodingStrategy.base64
    /// How data is read; by default from base64 text.
    public var dataDecodingStrategy = JSON.Decoder.DataDecodingStrategy.base64
    /// How infinities and NaN are written; by default they are errors.
    public var nonConformingFloatEncodingStrategy =
      JSON.Encoder.NonConformingFloatEncodingStrategy.throw
    /// How infinities and NaN are read; by default they are errors.
    public var nonConformingFloatDecodingStrategy =
      JSON.Decoder.NonConformingFloatDecodingStrategy.throw

    /// The default forms.
    public init() {}
  }

  /// The usual way.
  public init() {}

  /// The usual way, with documents whose form has a version.
  public init(schema: DocumentSchema) {
    self.schema = schema
  }
}
