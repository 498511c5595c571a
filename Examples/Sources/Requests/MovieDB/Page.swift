/// One page of a list.
struct Page<Element: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  let page: Int
  let results: [Element]
  let totalPages: Int
}
