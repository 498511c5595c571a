// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "keepsake-tool",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "keepsake", targets: ["keepsake"])],
  dependencies: [
    // Named, so that the directory of the checkout may be called anything.
    .package(
      name: "keepsake", path: "..", traits: ["Commands", "Configuration", "Console", "Secrets"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "keepsake",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "KeepsakeCommands", package: "keepsake"),
      ]),
    // An app whose tool has the commands for its own state.
    .executableTarget(
      name: "example-tool",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeCommands", package: "keepsake"),
        .product(name: "KeepsakeSecrets", package: "keepsake"),
      ],
      path: "Tests/ExampleTool"),
    .testTarget(
      name: "KeepsakeToolTests",
      dependencies: [
        "example-tool", "keepsake",
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeConfiguration", package: "keepsake"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      // The same settings as the library's own package.
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
