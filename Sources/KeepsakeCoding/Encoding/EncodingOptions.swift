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
}
