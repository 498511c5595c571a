import KeepsakeCoding

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What names a document among others of its kind, and its file in a directory.
public protocol DocumentID: Codable, Hashable, Sendable {
  /// The identity as text, from which ``init(documentName:)`` makes the same again.
  var documentName: String { get }

  /// The identity that a text names, or `nil` where it names none.
  init?(documentName: String)

  /// An identity for a copy of the document that this one names, or `nil` where there is none.
  ///
  /// - Parameter number: 2 at first; one more whenever there is a document of the identity.
  func another(_ number: Int) -> Self?
}

extension DocumentID {
  /// The identity of the same text with the number behind it.
  public func another(_ number: Int) -> Self? { Self(documentName: "\(documentName) \(number)") }
}

extension UUID: DocumentID {
  /// The UUID in its usual form, `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  public var documentName: String { text }

  /// The UUID of that text; `nil` for other text, small letters included.
  public init?(documentName: String) {
    // One document has one name.
    if documentName.utf8.contains(where: { $0 >= UInt8(ascii: "a") }) { return nil }
    self.init(text: documentName)
  }

  /// A random UUID.
  public func another(_ number: Int) -> UUID? { UUID() }
}

extension String: DocumentID {
  /// The string itself.
  public var documentName: String { self }

  /// The text itself.
  public init?(documentName: String) {
    self = documentName
  }
}

extension Int: DocumentID {
  /// The number in digits.
  public var documentName: String { String(self) }

  /// The number in those digits; `nil` for other text, leading zeros included.
  public init?(documentName: String) {
    guard let number = Int(documentName), String(number) == documentName else { return nil }
    self = number
  }

  /// The number that is so much greater, less one.
  public func another(_ number: Int) -> Int? {
    let (sum, overflows) = addingReportingOverflow(number - 1)
    return overflows ? nil : sum
  }
}
