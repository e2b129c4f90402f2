import CGlibcMore
import Glibc

// This is the only file that controls how glibc and the kernel manage this program's memory.

/// Makes the process reuse freed memory instead of returning it to the system. Otherwise, each file of a long run would
/// request the same pages again and have them cleared. Blocks above 4 MiB are still returned immediately.
package func keepFreedMemory() {
    mallopt(M_TRIM_THRESHOLD, 8 << 20)
    mallopt(M_MMAP_THRESHOLD, 4 << 20)
}

/// Releases the loader's relocation table, which occupies 600 KB and is read only once, before the program starts.
package func releaseRelocations() {
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
    // The loader may have relocated this address, too.
    if start < shift { start &+= shift }
    let page = UInt64(max(4096, sysconf(Int32(_SC_PAGESIZE))))
    let first = (start &+ page &- 1) / page &* page
    let end = (start &+ size) / page &* page
    if first < end { unsafe madvise(UnsafeMutableRawPointer(bitPattern: UInt(first)), Int(end - first), MADV_DONTNEED) }
}
