// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "consumer",
    dependencies: [.package(name: "chemopen", path: "../.."), .package(name: "xyz", path: "../../Examples/XYZ")],
    targets: [
        // Tests/Consumer/examples generates this target from the documentation. It only needs to compile.
        .target(
            name: "examples",
            dependencies: [
                .product(name: "Chemopen", package: "chemopen"), .product(name: "ChemopenCLI", package: "chemopen"),
                .product(name: "XYZFormat", package: "xyz"),
            ]),
        .executableTarget(
            name: "chemopen-xyz",
            dependencies: [
                .product(name: "ChemopenCLI", package: "chemopen"), .product(name: "XYZFormat", package: "xyz"),
            ]),
        .executableTarget(name: "edit", dependencies: [.product(name: "Chemopen", package: "chemopen")]),
        .executableTarget(name: "query", dependencies: [.product(name: "Chemopen", package: "chemopen")]),
        .executableTarget(name: "consumer", dependencies: [.product(name: "Chemopen", package: "chemopen")]),
        .executableTarget(
            name: "convert-xyz",
            dependencies: [
                .product(name: "Chemopen", package: "chemopen"), .product(name: "XYZFormat", package: "xyz"),
            ]),
    ]
)
