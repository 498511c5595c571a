import Foundation

// Code written for Foundation's coders is this package's by these lines.
typealias JSONDecoder = Foundation.JSONDecoder
typealias JSONEncoder = Foundation.JSONEncoder
typealias PropertyListDecoder = Foundation.PropertyListDecoder
typealias PropertyListEncoder = Foundation.PropertyListEncoder
