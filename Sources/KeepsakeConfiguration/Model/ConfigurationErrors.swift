#if Configuration
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Every reason that a type cannot be decoded from a configuration: all missing and wrong keys.
public struct ConfigurationErrors: Error, Sendable {
  /// The errors, in the order in which the type requests its keys; at least one.
  public let all: [ConfigurationError]
  /// The keys of structures that were not checked completely, because one of their values is wrong and
  /// has a type for which no placeholder exists; empty if ``all`` is complete.
  public let unfinished: [String]
}

extension ConfigurationErrors: CustomStringConvertible, LocalizedError {
  /// The errors, one on each line.
  public var description: String {
    let lines = all.map(\.description)
    if unfinished.isEmpty { return lines.joined(separator: "\n") }
    let names = unfinished.map { "'\($0)'" }.joined(separator: ", ")
    return (lines + ["what follows \(names) was not checked"]).joined(separator: "\n")
  }

  /// The description.
  public var errorDescription: String? { description }
}
#endif
