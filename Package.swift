// swift-tools-version: 6.3

import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// coordgen is done without where it is not installed: then structures without coordinates are described in words.
let hasCoordgen = ["/usr/include", "/usr/local/include"].contains { folder in
    FileManager.default.fileExists(atPath: folder + "/coordgen/sketcherMinimizer.h")
}

// So is the InChI library: then there are no InChIs.
let hasInChI = ["/usr/include", "/usr/local/include"].contains { folder in
    FileManager.default.fileExists(atPath: folder + "/inchi_api.h")
}

let package = Package(
    name: "chemopen",
    products: [
        .library(name: "Chemopen", targets: ["Chemopen", "ChemopenBrowse"]),
        // The functions of chemopen.h; ./package library makes a shared library of it.
        .library(name: "ChemopenC", type: .static, targets: ["ChemopenC"]),
        // The commands, for a program of them that knows more formats.
        .library(name: "ChemopenCLI", targets: ["ChemopenCLI"]),
        .executable(name: "chemopen", targets: ["ChemopenProgram"]),
        .executable(name: "chemopen-view", targets: ["ChemopenView"]),
        .executable(name: "chemopen-draw", targets: ["ChemopenDraw"]),
        .executable(name: "chemopen-fetch", targets: ["ChemopenFetch"]),
        .executable(name: "chemopen-clip", targets: ["ChemopenClip"]),
        .executable(name: "chemopen-layout", targets: ["ChemopenLayout"]),
        .executable(name: "chemopen-inchi", targets: ["ChemopenInchi"]),
    ],
    targets: [
        // What C libraries bring; each is called from one file of ChemopenBytes.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CISAL", providers: [.apt(["libisal-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

        // What makes pixels of pictures; called from one file of ChemopenDraw, so that nothing else needs it.
        .systemLibrary(name: "CCairo", pkgConfig: "cairo-ft", providers: [.apt(["libcairo2-dev"])]),

        // What places atoms on paper, a library for C++; called from ChemopenLayout, so that nothing else needs it.
        .target(
            name: "CCoordgen", cxxSettings: hasCoordgen ? [.define("HAS_COORDGEN")] : [],
            linkerSettings: hasCoordgen ? [.linkedLibrary("coordgen")] : []),

        // The InChI Trust's library behind one function; called from ChemopenInchi, so that nothing else needs it.
        .target(
            name: "CInChI", cSettings: hasInChI ? [.define("HAS_INCHI")] : [],
            linkerSettings: [.linkedLibrary("dl")]),

        // The server of the viewer's page; called from one file of ChemopenView, so that nothing else needs it.
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),

        // The session's bus, over which files come to the viewer that runs; called from one file of ChemopenView.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),

        // The network, the keyring and the cipher of the store; each called from one file of ChemopenFetch.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "gobject-2.0", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),

        // The clipboards of X11 and Wayland; each called from one file of ChemopenClip, so that nothing else needs them.
        .systemLibrary(name: "CXCB", pkgConfig: "xcb", providers: [.apt(["libxcb1-dev"])]),
        .systemLibrary(name: "CWayland", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),

        // A declaration that the C library's headers hold back; called from the bridges of ChemopenDesktop and ChemopenFetch.
        .systemLibrary(name: "CSpawn"),

        // Headers of the C library that its module leaves out; called from the bridge of ChemopenBytes.
        .systemLibrary(name: "CGlibcMore"),

        // Restrictions of a process by Landlock and seccomp; called from one file of ChemopenConfinement.
        .systemLibrary(name: "CConfine"),

        // chemopen.h, which ChemopenC implements.
        .systemLibrary(name: "CChemopen"),

        // The house, from the ground up: a target stands on those it names and on no others.
        .target(name: "ChemopenModel", swiftSettings: strict),
        .target(name: "ChemopenConfinement", dependencies: ["CConfine"], swiftSettings: strict),
        .target(name: "ChemopenChemistry", dependencies: ["ChemopenModel"], swiftSettings: strict),
        .target(
            name: "ChemopenBytes", dependencies: ["CGlibcMore", "CISAL", "CZlib", "CLibXML2"], swiftSettings: strict),
        .target(
            name: "ChemopenFormats", dependencies: ["ChemopenModel", "ChemopenChemistry", "ChemopenBytes"],
            swiftSettings: strict),
        .target(name: "ChemopenDepict", dependencies: ["ChemopenModel"], swiftSettings: strict),
        .target(name: "ChemopenDesktop", dependencies: ["CSpawn", "ChemopenBytes"], swiftSettings: strict),
        .target(
            name: "Chemopen",
            dependencies: [
                "ChemopenModel", "ChemopenChemistry", "ChemopenBytes", "ChemopenFormats", "ChemopenDepict",
                "ChemopenDesktop",
            ], swiftSettings: strict),
        .target(name: "ChemopenC", dependencies: ["CChemopen", "Chemopen"], swiftSettings: strict),
        .target(name: "ChemopenBrowse", dependencies: ["Chemopen"], swiftSettings: strict),
        .target(
            name: "ChemopenCLI", dependencies: ["Chemopen", "ChemopenBrowse", "ChemopenConfinement"],
            swiftSettings: strict),
        .executableTarget(name: "ChemopenProgram", dependencies: ["ChemopenCLI"], swiftSettings: strict),
        .executableTarget(
            name: "ChemopenView", dependencies: ["CDBus", "CMicroHTTPD", "ChemopenBrowse"],
            exclude: ["Page/inter.license.txt"],
            resources: [
                .embedInCode("Page/viewer.html"), .embedInCode("Page/viewer.css"), .embedInCode("Page/kept.js"),
                .embedInCode("Page/source.js"), .embedInCode("Page/condition.js"), .embedInCode("Page/page.js"),
                .embedInCode("Page/selection.js"), .embedInCode("Page/list.js"), .embedInCode("Page/columns.js"),
                .embedInCode("Page/surveys.js"), .embedInCode("Page/query.js"), .embedInCode("Page/rail.js"),
                .embedInCode("Page/record.js"), .embedInCode("Page/model.js"), .embedInCode("Page/cards.js"),
                .embedInCode("Page/plot.js"), .embedInCode("Page/viewer.js"), .embedInCode("Page/inter.woff2"),
                .embedInCode("Page/fields.js"), .embedInCode("Page/sketch.js"), .embedInCode("Page/sketch-model.js"),
                .embedInCode("Page/sketch-draw.js"), .embedInCode("Page/sketch.css"),
                .embedInCode("Serve/enter.html"), .embedInCode("Serve/enter.js"), .embedInCode("Serve/worker.js"),
                .embedInCode("Serve/try.html"), .embedInCode("Serve/try.js"),
                .embedInCode("Serve/manifest.webmanifest"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "ChemopenDraw", dependencies: ["CCairo", "ChemopenConfinement", "ChemopenDepict", "ChemopenModel"],
            swiftSettings: strict),
        .executableTarget(
            name: "ChemopenFetch",
            dependencies: ["CCurl", "CSecret", "CSodium", "CSpawn", "ChemopenBytes", "ChemopenDesktop"],
            swiftSettings: strict),
        .executableTarget(
            name: "ChemopenClip", dependencies: ["CXCB", "CWayland", "ChemopenBytes"], swiftSettings: strict),
        // A program that answers lines: what the two below share.
        .target(name: "ChemopenAnswers", dependencies: ["ChemopenConfinement"], swiftSettings: strict),
        .executableTarget(
            name: "ChemopenLayout", dependencies: ["CCoordgen", "ChemopenAnswers"], swiftSettings: strict),
        .executableTarget(name: "ChemopenInchi", dependencies: ["CInChI", "ChemopenAnswers"], swiftSettings: strict),

        // Mutations of records; it stands here, and not beside the fuzz targets, so that the library is not built once more.
        .executableTarget(
            name: "ChemopenMutations", dependencies: ["Chemopen"], path: "Tests/Fuzz/Sources", exclude: ["Fuzz"],
            sources: ["FuzzPromises", "Mutations"], swiftSettings: strict),
        .target(name: "TestFolders", path: "Tests/TestFolders", swiftSettings: strict),
        .testTarget(name: "ChemopenModelTests", dependencies: ["ChemopenModel"], swiftSettings: strict),
        .testTarget(
            name: "ChemopenChemistryTests", dependencies: ["ChemopenChemistry", "ChemopenFormats"],
            swiftSettings: strict),
        .testTarget(
            name: "ChemopenDepictTests", dependencies: ["ChemopenDepict", "Chemopen", "TestFolders"],
            swiftSettings: strict),
        .testTarget(name: "ChemopenBytesTests", dependencies: ["ChemopenBytes", "TestFolders"], swiftSettings: strict),
        .testTarget(
            name: "ChemopenFormatsTests", dependencies: ["ChemopenFormats", "TestFolders"], swiftSettings: strict),
        .testTarget(
            name: "ChemopenDesktopTests", dependencies: ["ChemopenDesktop", "Chemopen", "ChemopenCLI", "TestFolders"],
            swiftSettings: strict),
        .testTarget(name: "ChemopenTests", dependencies: ["Chemopen", "TestFolders"], swiftSettings: strict),
        .testTarget(
            name: "ChemopenCTests", dependencies: ["Chemopen", "ChemopenC", "ChemopenCLI", "TestFolders"],
            swiftSettings: strict),
        .testTarget(
            name: "ChemopenBrowseTests", dependencies: ["ChemopenBrowse", "TestFolders"], swiftSettings: strict),
        .testTarget(
            name: "ChemopenCLITests", dependencies: ["Chemopen", "ChemopenBrowse", "ChemopenCLI", "TestFolders"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
