// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "consumer",
    dependencies: [.package(name: "chemopen", path: "../.."), .package(name: "xyz", path: "../../Examples/XYZ")],
    targets: [
        .executableTarget(name: "consumer", dependencies: [.product(name: "Chemopen", package: "chemopen")]),
        .executableTarget(
            name: "convert-xyz",
            dependencies: [
                .product(name: "Chemopen", package: "chemopen"), .product(name: "XYZFormat", package: "xyz"),
            ]),
    ]
)
