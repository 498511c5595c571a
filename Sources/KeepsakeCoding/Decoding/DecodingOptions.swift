/// How a decoder decodes: what its properties are set to.
struct DecodingOptions: Sendable {
  var date = JSON.Decoder.DateDecodingStrategy.deferredToDate
  var data = JSON.Decoder.DataDecodingStrategy.base64
  var float = JSON.Decoder.NonConformingFloatDecodingStrategy.throw
  var key = JSON.Decoder.KeyDecodingStrategy.useDefaultKeys
  var duplicates = JSON.DuplicateKeyPolicy.first
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  var syntax: JSON.Syntax = []
  var maximumDepth = JSON.defaultMaximumDepth
  var maximumByteCount = Tape.maximumByteCount

  /// What there is to know for reading straight from a text; `nil` if values must go through
  /// `Decodable`, because only it does what the options say.
  var direct: Direct? {
    guard case .useDefaultKeys = key, case .base64 = data, case .throw = float,
      duplicates == .first, userInfo.isEmpty, syntax.isEmpty, let dates = JSON.DateForm(date)
    else { return nil }
    return Direct(
      dates: dates, maximumDepth: maximumDepth, maximumByteCount: maximumByteCount)
  }

  struct Direct {
    var dates: JSON.DateForm
    var maximumDepth: Int
    var maximumByteCount: Int
  }
}
