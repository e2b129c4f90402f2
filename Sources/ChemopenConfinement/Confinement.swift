import CConfine

/// Restrictions for a process that reads files from unknown sources. If such a file exploits a defect in a reader, the
/// process still cannot read or change other files, connect to the network, start other programs, or trace other
/// processes.
///
/// The kernel enforces them: Landlock for files, and seccomp for system calls. They apply to the calling thread, to
/// threads and processes that it starts afterwards, and cannot be removed. If the kernel does not support one of these
/// parts, the other one still applies.
package struct Confinement: Sendable {
    private var paths: [CChar] = []
    private var accesses: [Int32] = []

    /// The permitted access to a file or to everything in a directory.
    package enum Access: Sendable {
        case read
        /// The process can start it as a program, and read it.
        case run
        /// The process can write, create and remove.
        case write

        fileprivate var bits: Int32 {
            switch self {
            case .read: 1
            case .run: 2
            case .write: 4
            }
        }
    }

    /// Creates restrictions that permit only the files which every program uses: libraries, fonts and `/proc`.
    package init() {}

    /// Permits access to a file or directory. Files that do not exist are ignored.
    package mutating func permit(_ path: [UInt8], _ access: Access) {
        if path.isEmpty || path.contains(0) { return }
        paths += path.map { CChar(bitPattern: $0) } + [0]
        accesses.append(access.bits)
    }

    /// Applies the restrictions.
    package func apply() {
        _ = unsafe confine_files(paths, accesses, accesses.count, 1)
        _ = confine_calls()
    }

    /// Restricts a program that only computes: it can use its open descriptors, but no files, processes or network.
    package static func toComputation() {
        _ = unsafe confine_files([], [], 0, 0)
        _ = confine_to_computation()
    }

    /// Describes the part that the kernel supports, in a sentence for users.
    package static var support: String {
        confine_files_version() > 0
            ? "readers of unknown files are confined: files (Landlock) and system calls (seccomp)"
            : "this kernel has no Landlock; only the system calls of readers are confined (seccomp)"
    }
}
