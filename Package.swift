// swift-tools-version: 6.3

import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// coordgen is optional: without it, structures without coordinates are described in words.
let hasCoordgen = ["/usr/include", "/usr/local/include"].contains { folder in
    FileManager.default.fileExists(atPath: folder + "/coordgen/sketcherMinimizer.h")
}

// The InChI library is optional, too: without it, there are no InChIs.
let hasInChI = ["/usr/include", "/usr/local/include"].contains { folder in
    FileManager.default.fileExists(atPath: folder + "/inchi_api.h")
}

let package = Package(
    name: "chemopen",
    products: [
        .library(name: "Chemopen", targets: ["Chemopen", "ChemopenBrowse"]),
        // The functions of chemopen.h, from which ./package library builds a shared library.
        .library(name: "ChemopenC", type: .static, targets: ["ChemopenC"]),
        // The commands, as a library for programs that add their own formats.
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
        // Modules of C libraries; each is imported by one file of ChemopenBytes.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CISAL", providers: [.apt(["libisal-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

        // Draws pixels; imported by one file of ChemopenDraw, so no other program depends on it.
        .systemLibrary(name: "CCairo", pkgConfig: "cairo-ft", providers: [.apt(["libcairo2-dev"])]),

        // Computes 2D coordinates, in C++; imported by ChemopenLayout, so no other program depends on it.
        .target(
            name: "CCoordgen", cxxSettings: hasCoordgen ? [.define("HAS_COORDGEN")] : [],
            linkerSettings: hasCoordgen ? [.linkedLibrary("coordgen")] : []),

        // The InChI Trust's library behind one function; imported by ChemopenInchi, so no other program depends on it.
        .target(
            name: "CInChI", cSettings: hasInChI ? [.define("HAS_INCHI")] : [],
            linkerSettings: [.linkedLibrary("dl")]),

        // The HTTP server of the viewer; imported by one file of ChemopenView, so no other program depends on it.
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),

        // The session bus, which passes files to the running viewer; imported by one file of ChemopenView.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),

        // The network, the keyring and the encryption of the cache; each is imported by one file of ChemopenFetch.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "gobject-2.0", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),

        // The clipboards of X11 and Wayland; each is imported by one file of ChemopenClip, so no other program depends
        // on them.
        .systemLibrary(name: "CXCB", pkgConfig: "xcb", providers: [.apt(["libxcb1-dev"])]),
        .systemLibrary(name: "CWayland", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),

        // A declaration that the headers of the C library hide; imported by the bridges of ChemopenDesktop and
        // ChemopenFetch.
        .systemLibrary(name: "CSpawn"),

        // Headers of the C library that Swift's Glibc module omits; imported by the bridge of ChemopenBytes.
        .systemLibrary(name: "CGlibcMore"),

        // Restrictions of a process with Landlock and seccomp; imported by one file of ChemopenConfinement.
        .systemLibrary(name: "CConfine"),

        // chemopen.h, which ChemopenC implements.
        .systemLibrary(name: "CChemopen"),

        // The architecture, from the bottom up: a target can import only the targets that it lists.
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
                .embedInCode("Page/source.js"), .embedInCode("Page/condition.js"),
                .embedInCode("Serve/collections.js"), .embedInCode("Page/page.js"),
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
        // The loop of a program that responds to lines; the two programs below share it.
        .target(name: "ChemopenAnswers", dependencies: ["ChemopenConfinement"], swiftSettings: strict),
        .executableTarget(
            name: "ChemopenLayout", dependencies: ["CCoordgen", "ChemopenAnswers"], swiftSettings: strict),
        .executableTarget(name: "ChemopenInchi", dependencies: ["CInChI", "ChemopenAnswers"], swiftSettings: strict),

        // Mutations of records; this target is here and not among the fuzz targets to avoid a second build of the
        // library.
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
