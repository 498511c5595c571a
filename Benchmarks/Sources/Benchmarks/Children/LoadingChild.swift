import Foundation

/// A process that loads all cards of a directory and keeps them.
enum LoadingChild {
  /// The most memory that it took, in bytes.
  static func run(_ loader: CardLoader, _ name: String) throws -> Double {
    let child = try Child(.load, [loader.rawValue, name])
    let peak = (try child.line()).flatMap { Double($0) }
    try child.end()
    guard let peak else { throw CocoaError(.executableRuntimeMismatch) }
    return peak
  }

  // MARK: In the child

  static func main(_ arguments: [String], in workspace: Workspace) async throws {
    guard arguments.count == 2, let loader = CardLoader(rawValue: arguments[0]) else {
      throw CocoaError(.executableRuntimeMismatch)
    }
    let cards = try await loader.load(arguments[1], in: workspace)
    withExtendedLifetime(cards) { Child.say("\(ProcessMemory.peak)") }
  }
}
