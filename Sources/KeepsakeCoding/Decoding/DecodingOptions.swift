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
}
