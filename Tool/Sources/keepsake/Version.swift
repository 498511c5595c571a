/// The version of the package, which `Scripts/release` reads and writes.
let version = "0.1.0"
