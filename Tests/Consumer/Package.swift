// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "consumer",
    dependencies: [.package(name: "chemopen", path: "../..")],
    targets: [
        .executableTarget(name: "consumer", dependencies: [.product(name: "Chemopen", package: "chemopen")])
    ]
)
