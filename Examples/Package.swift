// swift-tools-version: 6.3
import PackageDescription

/// Stage with what it exports: who uses it is built anew when that changes.
let stage: [Target.Dependency] = [
  "Stage",
  .product(name: "Keepsake", package: "keepsake"),
  .product(name: "KeepsakeConfiguration", package: "keepsake"),
]

let package = Package(
  name: "keepsake-examples",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Stage", targets: ["Stage"]),
    .executable(name: "HIITFit", targets: ["HIITFit"]),
    .executable(name: "SharedHIITFit", targets: ["SharedHIITFit"]),
    .executable(name: "Cards", targets: ["Cards"]),
    .executable(name: "Bars", targets: ["Bars"]),
    .executable(name: "SideMirror", targets: ["SideMirror"]),
    .executable(name: "Requests", targets: ["Requests"]),
    .executable(name: "SignIn", targets: ["SignIn"]),
    .executable(name: "WorkingDirectory", targets: ["WorkingDirectory"]),
  ],
  dependencies: [
    .package(
      name: "keepsake", path: "..",
      traits: ["Console", "Etcd", "Identity", "Macros", "Secrets"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: [
    .target(
      name: "Stage",
      dependencies: [
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeConfiguration", package: "keepsake"),
        .product(name: "KeepsakeConsole", package: "keepsake"),
        .product(name: "KeepsakeLoopback", package: "keepsake"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "HIITFit", dependencies: stage, resources: [.copy("config.plist")]),
    .executableTarget(
      name: "SharedHIITFit",
      dependencies: stage + [.product(name: "KeepsakeEtcd", package: "keepsake")],
      resources: [.copy("config.plist")]),
    .executableTarget(
      name: "Cards",
      dependencies: stage + [
        .product(name: "KeepsakeLoopback", package: "keepsake"),
        .product(name: "KeepsakeMacros", package: "keepsake"),
      ],
      resources: [.copy("config.plist"), .embedInCode("Page")]),
    .executableTarget(name: "Bars", dependencies: stage),
    // What Stage's speed is measured with.
    .executableTarget(name: "Rows", dependencies: stage),
    // What a reader of the tutorial has written at its end.
    .executableTarget(name: "Tutorial", dependencies: stage),
    .executableTarget(
      name: "SideMirror",
      dependencies: stage + [.product(name: "KeepsakeMacros", package: "keepsake")],
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "Requests",
      dependencies: [
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeConfiguration", package: "keepsake"),
        .product(name: "KeepsakeSecrets", package: "keepsake"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], resources: [.copy("config.plist")]),
    .testTarget(
      name: "RequestsTests",
      dependencies: [
        "Requests",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeConfiguration", package: "keepsake"),
        .product(name: "KeepsakeSecrets", package: "keepsake"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .executableTarget(
      name: "SignIn",
      dependencies: [
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeIdentity", package: "keepsake"),
        .product(name: "KeepsakeLoopback", package: "keepsake"),
        .product(name: "KeepsakeSecrets", package: "keepsake"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "WorkingDirectory",
      dependencies: stage + [
        .product(name: "KeepsakeDirectories", package: "keepsake"),
        .product(name: "KeepsakeLoopback", package: "keepsake"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [.embedInCode("Page")]),
    // The adapters of the documentation.
    .testTarget(
      name: "AdapterTests",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeTesting", package: "keepsake"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
    // Tests of the library that need what the examples are built with.
    .testTarget(
      name: "KeepsakeMacrosTests",
      dependencies: [
        .product(name: "KeepsakeConfiguration", package: "keepsake"),
        .product(name: "KeepsakeDocuments", package: "keepsake"),
        .product(name: "KeepsakeFiles", package: "keepsake"),
        .product(name: "KeepsakeMacros", package: "keepsake"),
        .product(name: "KeepsakeSecrets", package: "keepsake"),
        .product(name: "KeepsakeTesting", package: "keepsake"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: [.define("Macros"), .define("Secrets")]),
    .testTarget(
      name: "StageTests",
      dependencies: stage + [
        "HIITFit", "Cards", "Bars", "SideMirror", "Tutorial", "WorkingDirectory",
        .product(name: "KeepsakeLoopback", package: "keepsake"),
        .product(name: "KeepsakeTesting", package: "keepsake"),
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
