// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "xyz",
    products: [.library(name: "XYZFormat", targets: ["XYZFormat"])],
    dependencies: [.package(name: "chemopen", path: "../..")],
    targets: [
        .target(
            name: "XYZFormat", dependencies: [.product(name: "Chemopen", package: "chemopen")],
            swiftSettings: [.strictMemorySafety(), .treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
