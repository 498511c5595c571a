/// An element that was removed, and where it was.
struct RemovedElement: Sendable {
  let element: any CardElement
  let index: Int
}
