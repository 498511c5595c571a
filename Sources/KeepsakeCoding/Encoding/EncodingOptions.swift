/// The options of an encoder, of which each encoding has a copy.
struct EncodingOptions: Sendable {
  enum Format { case json, propertyList }

  var format = Format.json
  var outputFormatting: JSON.Encoder.OutputFormatting = []
  var dates: JSON.Encoder.DateEncodingStrategy = .deferredToDate
  var data: JSON.Encoder.DataEncodingStrategy = .base64
  var floats: JSON.Encoder.NonConformingFloatEncodingStrategy = .throw
  var keys: JSON.Encoder.KeyEncodingStrategy = .useDefaultKeys
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// How dates are written straight to a text; `nil` if values must go through `Encodable`, because
  /// only it does what the options say.
  var direct: JSON.DateForm? {
    guard format == .json, case .useDefaultKeys = keys, case .base64 = data, case .throw = floats,
      userInfo.isEmpty, !outputFormatting.contains(.sortedKeys)
    else { return nil }
    return JSON.DateForm(dates)
  }
}
