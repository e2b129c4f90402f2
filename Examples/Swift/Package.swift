// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "masses",
    // Replace the path by the URL of your git server: .package(url: "https://…/chemopen.git", branch: "main")
    dependencies: [.package(name: "chemopen", path: "../..")],
    targets: [
        .executableTarget(name: "masses", dependencies: [.product(name: "Chemopen", package: "chemopen")])
    ],
    swiftLanguageModes: [.v6]
)
