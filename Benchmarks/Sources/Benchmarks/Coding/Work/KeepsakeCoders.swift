import Keepsake

typealias KeepsakeJSONDecoder = JSON.Decoder
typealias KeepsakeJSONEncoder = JSON.Encoder
typealias KeepsakePropertyListDecoder = PropertyList.Decoder
typealias KeepsakePropertyListEncoder = PropertyList.Encoder
