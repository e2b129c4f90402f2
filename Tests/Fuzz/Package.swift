// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "chemopen", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [.product(name: "Chemopen", package: "chemopen")],
            swiftSettings: [.strictMemorySafety(), .treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
