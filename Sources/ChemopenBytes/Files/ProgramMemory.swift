import CGlibcMore
import Glibc

// The one file that asks glibc and the kernel how this program's memory is kept.

/// Keeps memory that is let go for what comes next, for the whole process: of many files in one run each would ask the
/// system for the same pages again, and have them cleared. Blocks above 4 MiB are still given back at once.
package func keepFreedMemory() {
    mallopt(M_TRIM_THRESHOLD, 8 << 20)
    mallopt(M_MMAP_THRESHOLD, 4 << 20)
}

/// Lets go of the table by which the loader has put the program's addresses right: 600 KB, read once before it begins.
package func letGoOfRelocations() {
    let count = getauxval(UInt(AT_PHNUM))
    guard let headers = unsafe UnsafePointer<Elf64_Phdr>(bitPattern: UInt(getauxval(UInt(AT_PHDR)))) else { return }
    var shift: UInt64?
    var dynamic: UInt64?
    for index in 0..<Int(clamping: count) {
        let header = unsafe headers[index]
        if header.p_type == PT_PHDR { shift = UInt64(UInt(bitPattern: headers)) &- header.p_vaddr }
        if header.p_type == PT_DYNAMIC { dynamic = header.p_vaddr }
    }
    guard let shift, let dynamic,
        var entry = unsafe UnsafePointer<Elf64_Dyn>(bitPattern: UInt(shift &+ dynamic))
    else { return }
    var start: UInt64 = 0
    var size: UInt64 = 0
    while unsafe entry.pointee.d_tag != Int64(DT_NULL) {
        if unsafe entry.pointee.d_tag == Int64(DT_RELA) { start = unsafe entry.pointee.d_un.d_ptr }
        if unsafe entry.pointee.d_tag == Int64(DT_RELASZ) { size = unsafe entry.pointee.d_un.d_val }
        unsafe entry += 1
    }
    // The loader may have put this address right, too.
    if start < shift { start &+= shift }
    let page = UInt64(max(4096, sysconf(Int32(_SC_PAGESIZE))))
    let first = (start &+ page &- 1) / page &* page
    let end = (start &+ size) / page &* page
    if first < end { unsafe madvise(UnsafeMutableRawPointer(bitPattern: UInt(first)), Int(end - first), MADV_DONTNEED) }
}
