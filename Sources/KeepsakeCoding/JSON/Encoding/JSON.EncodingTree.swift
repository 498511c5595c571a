extension JSON {
  /// The containers of one encoder that are written out of order.
  struct EncodingTree {
    /// The frame of the encoder.
    var scope: Int
    /// The containers by their tickets.
    var nodes: [UInt64: JSON.EncodingNode]
  }
}

extension JSON {
  /// A container whose entries are kept until its encoder's value has ended.
  final class EncodingNode {
    enum Value {
      /// As written, without a comma.
      case bytes([UInt8])
      case node(JSON.EncodingNode)
    }

    let path: [any CodingKey]
    var shape = JSON.EncodingFrame.Shape.empty
    /// The keys as written, with quotation marks and colon, if it is an object.
    private(set) var keys: [[UInt8]] = []
    var values: [Value] = []
    private var indices: [[UInt8]: Int] = [:]
    /// The text, if it is a single value.
    var bytes: [UInt8] = []

    init(path: [any CodingKey]) { self.path = path }

    /// Sets a value: the last one for a key counts, in the place of the first.
    func set(_ value: Value, forKey key: [UInt8]) {
      if let index = indices[key] {
        values[index] = value
      } else {
        indices[key] = values.count
        keys.append(key)
        values.append(value)
      }
    }

    /// The container for a key: the one that is there, or an empty one.
    func child(
      _ shape: JSON.EncodingFrame.Shape, forKey key: [UInt8], path: [any CodingKey]
    ) -> JSON.EncodingNode {
      let child = JSON.EncodingNode(path: path)
      if shape != .empty, let index = indices[key] {
        switch values[index] {
        case .node(let node): return node
        case .bytes(let bytes):
          child.shape = .value
          child.bytes = bytes
        }
      }
      set(.node(child), forKey: key)
      return child
    }

    /// Makes it an object or array, if it is none yet or the same already, or a single value that
    /// is the text of one.
    func take(_ shape: JSON.EncodingFrame.Shape) -> Bool {
      if self.shape == .value {
        let bracket = shape == .object ? UInt8(ascii: "{") : UInt8(ascii: "[")
        guard bytes.first == bracket else { return false }
        var parser = JSON.EncodingParser(end: bytes.count)
        _ = bytes.withUnsafeBufferPointer { parser.fill(self, in: $0, at: 0) }
        bytes = []
      }
      if self.shape == .empty { self.shape = shape }
      return self.shape == shape
    }

    /// Writes the value, and a comma.
    func write(to writer: inout JSON.Writer, sortsKeys: Bool) {
      switch shape {
      case .empty: writer.append("{},")
      case .value, .tree:
        bytes.withUnsafeBytes { writer.append($0) }
        writer.append(UInt8(ascii: ","))
      case .array:
        writer.append(UInt8(ascii: "["))
        for value in values { write(value, to: &writer, sortsKeys: sortsKeys) }
        writer.close(with: UInt8(ascii: "]"))
      case .object:
        writer.append(UInt8(ascii: "{"))
        var order = Array(values.indices)
        if sortsKeys { order.sort { JSON.EncodingKeyOrder.isBefore(keys[$0], keys[$1]) } }
        for index in order {
          keys[index].withUnsafeBytes { writer.append($0) }
          write(values[index], to: &writer, sortsKeys: sortsKeys)
        }
        writer.close(with: UInt8(ascii: "}"))
      }
    }

    private func write(_ value: Value, to writer: inout JSON.Writer, sortsKeys: Bool) {
      switch value {
      case .node(let node): node.write(to: &writer, sortsKeys: sortsKeys)
      case .bytes(let bytes):
        bytes.withUnsafeBytes { writer.append($0) }
        writer.append(UInt8(ascii: ","))
      }
    }
  }
}
