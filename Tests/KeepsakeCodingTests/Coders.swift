import Foundation
import KeepsakeCoding

// Code written for Foundation's coders is this package's by these lines.
typealias JSONDecoder = JSON.Decoder
typealias JSONEncoder = JSON.Encoder
