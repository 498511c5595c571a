import Foundation

/// What the numbers were measured on.
enum Machine {
  /// One line about the machine, and what else it does.
  static func description(directory: String) -> String {
    let model =
      read("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    let kernel = read("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines)
    let load = read("/proc/loadavg").split(separator: " ").first ?? "?"
    return
      "\(ProcessInfo.processInfo.activeProcessorCount) cores, \(model ?? "unknown processor"), "
      + "Linux \(kernel), \(fileSystem(of: directory)), load \(load) at the start"
  }

  /// The kind of file system that holds a directory.
  static func fileSystem(of directory: String) -> String {
    // … mount point (fifth) … - type device options
    let mounts = read("/proc/self/mountinfo").split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      let dash = fields.firstIndex(of: "-")
      return dash.map { (point: String(fields[4]), type: String(fields[$0 + 1])) }
    }
    return mounts.filter { mount in
      mount.point == "/" || directory == mount.point || directory.hasPrefix(mount.point + "/")
    }.max { $0.point.count < $1.point.count }?.type ?? "unknown file system"
  }

  private static func read(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
