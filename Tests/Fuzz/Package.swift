// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "chemopen", path: "../..")],
    targets: [
        .target(
            name: "FuzzPromises",
            dependencies: [.product(name: "Chemopen", package: "chemopen")],
            swiftSettings: [.strictMemorySafety(), .treatAllWarnings(as: .error)]),
        // The program that libFuzzer calls. It contains `main`.
        .executableTarget(
            name: "Fuzz",
            dependencies: ["FuzzPromises"],
            swiftSettings: [.strictMemorySafety(), .treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
