// glibc headers that are not part of Swift's Glibc module: the allocator's settings, ELF tables, extended attributes and
// text conversion.
#include <elf.h>
#include <iconv.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/xattr.h>
#include <sched.h>

/// Returns the processors on which a process may run. glibc declares this function only if GNU extensions are enabled.
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *processors);

/// The result of dladdr for an address. glibc declares it, as Dl_info, only if GNU extensions are enabled.
typedef struct {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} LoadedObject;
int dladdr(const void *address, LoadedObject *info);
