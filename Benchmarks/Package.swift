// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, so that the directory the checkout lies in may be called anything.
    .package(name: "keepsake", path: "..", traits: ["Etcd", "Macros", "Postgres"]),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeEtcd", package: "keepsake"),
        .product(name: "KeepsakeMacros", package: "keepsake"),
        .product(name: "KeepsakePostgres", package: "keepsake"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
        "CLMDB",
      ]),
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      // A warning is an error here; in a package that depends on this one it is not.
      .treatAllWarnings(as: .error),
      // SE-0335: `any` is written where a value is boxed.
      .enableUpcomingFeature("ExistentialAny"),
      // SE-0444: a member is seen only where its module is imported.
      .enableUpcomingFeature("MemberImportVisibility"),
      // SE-0409: what the public surface exposes is imported as public, and seen to be.
      .enableUpcomingFeature("InternalImportsByDefault"),
      // SE-0461: a nonisolated async function runs where its caller runs.
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      // SE-0470: a conformance is isolated as its type is.
      .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
