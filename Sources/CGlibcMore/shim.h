// Headers of glibc that Swift's module of it leaves out: how memory that is let go is kept, where a program's tables lie,
// what files bear beside their bytes, and how text is converted.
#include <elf.h>
#include <iconv.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/xattr.h>
#include <sched.h>

/// Which processors may run a thread; declared here, as glibc keeps it to those who ask for GNU's extensions.
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *processors);

/// What dladdr finds about an address: glibc's Dl_info, which it keeps to those who ask for GNU's extensions.
typedef struct {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} LoadedObject;
int dladdr(const void *address, LoadedObject *info);
