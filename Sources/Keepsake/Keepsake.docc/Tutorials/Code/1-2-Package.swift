// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "MyHIITFit",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../keepsake/Examples")
  ],
  targets: [
    .executableTarget(
      name: "MyHIITFit",
      dependencies: [.product(name: "Stage", package: "Examples")])
  ]
)
