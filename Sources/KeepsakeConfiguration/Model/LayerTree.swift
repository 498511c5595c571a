#if Configuration
import KeepsakeCoding

/// The values of one layer by name, including those inside dictionaries.
struct LayerTree: Sendable {
  /// A value and its path.
  struct Node: Sendable {
    var value: PropertyList.Value
    /// The keys that lead to the value in its file.
    let path: [String]
    /// The keys of a dictionary as they are spelled.
    var children: [ConfigurationName]?
  }

  /// Two keys of one dictionary that are the same name.
  struct DuplicateName: Error {
    let path: [String]
    let other: String
  }

  let layer: ConfigurationLayer
  /// Whether the file's format has no types: strings are then read as the requested type.
  let isUntyped: Bool
  private var nodes: [String: Node] = [:]

  /// Creates the tree of a dictionary.
  ///
  /// - Parameter path: The keys that lead to the dictionary in its file.
  init(
    _ layer: ConfigurationLayer, _ values: [String: PropertyList.Value], path: [String] = [],
    isUntyped: Bool = false
  ) throws(DuplicateName) {
    self.layer = layer
    self.isUntyped = isUntyped
    nodes[""] = Node(value: .dictionary(values), path: path, children: [])
    try add(values, to: .root, path: path)
  }

  /// Creates a layer without values.
  init(empty layer: ConfigurationLayer) {
    self.layer = layer
    isUntyped = false
    nodes[""] = Node(value: .dictionary([:]), path: [], children: [])
  }

  private mutating func add(
    _ values: [String: PropertyList.Value], to parent: ConfigurationName, path: [String]
  ) throws(DuplicateName) {
    for (key, value) in values.sorted(by: { PropertyList.precedes($0.key, $1.key) }) {
      var name = parent
      let parts = key.split(separator: ".").map(String.init)
      // A key with dots stands for nested dictionaries.
      for (index, part) in parts.enumerated() {
        let child = name.appending(part)
        let isLast = index == parts.count - 1
        let isDictionary = if case .dictionary = value { true } else { !isLast }
        let node = Node(
          value: isLast ? value : .dictionary([:]), path: path + [key],
          children: isDictionary ? [] : nil)
        if let known = nodes[child.id] {
          guard known.children != nil && isDictionary else {
            throw DuplicateName(
              path: path + [key], other: known.path.dropFirst(path.count).joined(separator: "."))
          }
        } else {
          nodes[child.id] = node
          nodes[name.id]?.children?.append(ConfigurationName(part))
        }
        name = child
      }
      if case .dictionary(let inner) = value { try add(inner, to: name, path: path + [key]) }
    }
  }

  func node(_ name: ConfigurationName) -> Node? { nodes[name.id] }

  /// Whether this layer has another value in place of a dictionary that would contain the name.
  func hides(_ name: ConfigurationName) -> Bool {
    name.parents.contains { parent in
      if let node = nodes[parent] { node.children == nil } else { false }
    }
  }
}
#endif
