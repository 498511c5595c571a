public import KeepsakeCoding

/// The options of a document store.
public struct DocumentConfiguration: Sendable {
  /// The version of the documents' schema, and its migrations; files without a version have version 1.
  public var schema: DocumentSchema?
  /// The number of past versions that are kept of each document.
  public var versionsKept = 10
  /// The longest time after an edit until a live document is saved.
  public var autosaveDelay = Duration.seconds(1)
  /// What the store accepts as an asset.
  public var assetLimits = Asset.Limits()
  /// How dates, data and numbers that JSON has no text for are written and read.
  public var coding = Coding()
  /// The `userInfo` of the documents' encoders and decoders, such as the key of encrypted properties.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// The clock for autosaving.
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

  /// The default options.
  public init() {}

  /// The default options, with a schema.
  public init(schema: DocumentSchema) {
    self.schema = schema
  }
}
