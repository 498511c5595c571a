/// Memory for trivial values that grows and is never copied: an array without its checks.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { base.deallocate() }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  /// The element at an index.
  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      return base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      base[index] = newValue
    }
  }

  /// The last element, until the next one is appended.
  @inline(__always)
  var last: UnsafeMutablePointer<Element> {
    precondition(count > 0)
    return base + (count &- 1)
  }

  @inline(__always)
  mutating func removeLast() {
    precondition(count > 0)
    count &-= 1
  }

  @inline(__always)
  mutating func truncate(to count: Int) {
    if count < self.count { self.count = max(count, 0) }
  }

  @inline(__always)
  mutating func removeAll() { count = 0 }
}
