#if Configuration
import KeepsakeCoding

/// All that a configuration holds at one moment.
struct ConfigurationLayers: Sendable {
  var overrides = LayerTree(empty: .overrides)
  let arguments: TextLayer
  let variables: TextLayer
  var file: ConfigurationFile

  /// A value, and where it was found.
  struct Found: Sendable {
    let layer: ConfigurationLayer
    let content: Content
    /// The keys that lead to it in its file.
    let path: [String]

    /// The name as its layer spells it.
    func spelling(of name: ConfigurationName) -> ConfigurationName {
      layer.spelling(of: name, at: path)
    }
  }

  /// A value of a file, or the text of an argument or a variable.
  enum Content: Hashable, Sendable {
    case value(PropertyList.Value)
    case text(TextLayer.Text)
  }

  private enum Layer {
    case tree(LayerTree)
    case text(TextLayer)

    func find(_ name: ConfigurationName) -> Found? {
      switch self {
      case .tree(let tree):
        tree.node(name).map { Found(layer: tree.layer, content: .value($0.value), path: $0.path) }
      case .text(let layer):
        layer[name].map { Found(layer: layer.layer, content: .text($0), path: [$0.name]) }
      }
    }
  }

  private var ordered: [Layer] {
    [.tree(overrides), .text(arguments), .text(variables)] + file.sections.map(Layer.tree)
  }

  private var trees: [LayerTree] { [overrides] + file.sections }

  /// The value that counts.
  ///
  /// - Complexity: O(1) in the number of values.
  func first(_ name: ConfigurationName) -> Found? {
    for layer in ordered {
      if let found = layer.find(name) { return found }
      if case .tree(let tree) = layer, tree.hides(name) { return nil }
    }
    return nil
  }

  /// The values of all layers, in their order.
  func all(_ name: ConfigurationName) -> [Found] {
    ordered.compactMap { $0.find(name) }
  }

  /// The keys of a dictionary, of all layers that have it.
  func children(of name: ConfigurationName) -> [ConfigurationName] {
    var children: [ConfigurationName] = []
    for tree in trees {
      if tree.hides(name) { break }
      guard let node = tree.node(name) else { continue }
      guard let own = node.children else { break }
      children += own.filter { !children.contains($0) }
    }
    return children
  }

  /// The names of all values below a name, each as its first layer spells it.
  func names(below name: ConfigurationName = .root) -> [ConfigurationName] {
    children(of: name).flatMap { child in
      let child = name.appending(child.spelled)
      let below = names(below: child)
      return below.isEmpty ? [child] : below
    }
  }
}

extension ConfigurationLayer {
  /// The name of what keys lead to, as they spell it.
  func spelling(of name: ConfigurationName, at path: [String]) -> ConfigurationName {
    switch self {
    case .arguments, .variables: name
    case .overrides: ConfigurationName(path.joined(separator: "."))
    case .section, .common: ConfigurationName(path.dropFirst().joined(separator: "."))
    }
  }
}
#endif
