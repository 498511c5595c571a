/// Waits until a condition holds.
func until(_ condition: () async -> Bool) async {
  // Not by yielding: tasks that do nothing else leave no thread to the queues of stores.
  while await !condition() { try? await Task.sleep(for: .milliseconds(1)) }
}
