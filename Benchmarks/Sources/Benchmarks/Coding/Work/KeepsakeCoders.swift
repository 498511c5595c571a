import Foundation

// The package's own, as soon as it has them.
typealias KeepsakeJSONDecoder = JSONDecoder
typealias KeepsakeJSONEncoder = JSONEncoder
typealias KeepsakePropertyListDecoder = PropertyListDecoder
typealias KeepsakePropertyListEncoder = PropertyListEncoder
