/* Restricts the process: Landlock for files and seccomp for system calls. The restrictions also apply to programs that it
 * starts, and cannot be removed. The constants of Landlock are declared here, because older kernel headers lack them. */
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CONFINE_READ = 1, CONFINE_RUN = 2, CONFINE_WRITE = 4 };

/* O_PATH, which the C library declares only with its extensions: the descriptor only names a file. */
enum { CONFINE_NAME_ONLY = 010000000 };

/* Returns the version of Landlock, or 0 if the kernel does not support it. */
static inline int confine_files_version(void) {
    long version = syscall(444, NULL, 0, 1);
    return version > 0 ? (int)version : 0;
}

/* A set of rules of Landlock that does not apply yet. */
struct confine_rules {
    int descriptor, version;
    uint64_t write;
};

static const uint64_t confine_read = 1 << 2 | 1 << 3, confine_run = 1 << 0 | 1 << 2;

/* Adds a rule for a file or directory. Returns 0 if it succeeds or there is no such file. */
static inline int confine_permit(struct confine_rules rules, const char *path, int access) {
    struct __attribute__((packed)) {
        uint64_t access;
        int32_t file;
    } rule = {0, open(path, CONFINE_NAME_ONLY | O_CLOEXEC)};
    struct stat status;
    if (rule.file < 0) return 0;
    if (access & CONFINE_READ) rule.access |= confine_read;
    if (access & CONFINE_RUN) rule.access |= confine_run;
    if (access & CONFINE_WRITE) rule.access |= rules.write | confine_read;
    /* For a file, the kernel accepts only the access to files: run, write, read and truncate. */
    if (fstat(rule.file, &status) != 0 || !S_ISDIR(status.st_mode)) rule.access &= 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14;
    if (rules.version < 3) rule.access &= ~(uint64_t)(1 << 14);
    const int result = (int)syscall(445, rules.descriptor, 1, &rule, 0);
    close(rule.file);
    return result;
}

/* Permits access to the files that every program uses: libraries, fonts, `/proc`, where a helper program finds its
 * arguments, and the dynamic linker, which starts every program. Landlock denies the memory and the environment of other
 * processes in `/proc`. */
static inline int confine_permit_usual(struct confine_rules rules) {
    static const struct {
        const char *path;
        int access;
    } usual[] = {
        {"/usr/lib", CONFINE_READ}, {"/usr/lib64", CONFINE_READ}, {"/usr/libexec", CONFINE_READ},
        {"/usr/local/lib", CONFINE_READ}, {"/usr/share", CONFINE_READ}, {"/lib", CONFINE_READ}, {"/lib64", CONFINE_READ},
        {"/etc/ld.so.cache", CONFINE_READ}, {"/etc/fonts", CONFINE_READ}, {"/etc/localtime", CONFINE_READ},
        {"/var/cache/fontconfig", CONFINE_READ}, {"/proc", CONFINE_READ}, {"/sys/fs/cgroup", CONFINE_READ},
        {"/sys/devices/system/cpu", CONFINE_READ}, {"/dev/urandom", CONFINE_READ}, {"/dev/null", CONFINE_WRITE},
        {"/lib64/ld-linux-x86-64.so.2", CONFINE_RUN}, {"/lib/ld-linux-aarch64.so.1", CONFINE_RUN},
    };
    int result = 0;
    for (size_t index = 0; index < sizeof usual / sizeof *usual && result == 0; index++)
        result = confine_permit(rules, usual[index].path, usual[index].access);
    return result;
}

/* Permits to read the directories of the loaded libraries, because helper programs load theirs from the same ones. Those
 * in the directories of the system are among the other rules. */
static inline int confine_permit_libraries(struct confine_rules rules) {
    char folder[4096];
    int result = 0;
    for (const struct link_map *library = (const struct link_map *)dlopen(NULL, RTLD_LAZY); library && result == 0;
         library = library->l_next) {
        const char *end = strrchr(library->l_name, '/');
        const size_t length = end ? (size_t)(end - library->l_name) : 0;
        if (length == 0 || length >= sizeof folder || strncmp(library->l_name, "/lib", 4) == 0 ||
            strncmp(library->l_name, "/usr/lib", 8) == 0)
            continue;
        memcpy(folder, library->l_name, length);
        folder[length] = 0;
        result = confine_permit(rules, folder, CONFINE_READ);
        /* The name can be a link to another directory. */
        if (result == 0) result = confine_permit(rules, library->l_name, CONFINE_READ);
    }
    return result;
}

/* Denies access to all files except those of the rules, TCP connections, and signals and abstract sockets of other
 * processes, as far as the kernel supports it. `paths` contains the `count` files or directories, each with a NUL at its
 * end, and `access` the permitted access for each of them. Missing files are ignored. If `usual` is not 0, the files
 * that every program uses and the directories of the loaded libraries are permitted, too. Returns 0 if it succeeds. */
static inline int confine_files(const char *paths, const int *access, size_t count, int usual) {
    struct {
        uint64_t files, network, scoped;
    } ruleset = {0, 0, 0};
    const int version = confine_files_version();
    struct confine_rules rules = {-1, version, 0x1FF2}; /* write, remove and create */
    if (version == 0) return -1;
    if (version >= 2) rules.write |= 1 << 13; /* rename to another directory */
    if (version >= 3) rules.write |= 1 << 14; /* truncate */
    if (version >= 4) ruleset.network = 1 << 0 | 1 << 1;
    if (version >= 6) ruleset.scoped = 1 << 0 | 1 << 1;
    ruleset.files = confine_read | confine_run | rules.write;
    const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    rules.descriptor = (int)syscall(444, &ruleset, size, 0);
    if (rules.descriptor < 0) return -1;
    int result = 0;
    for (size_t index = 0; index < count && result == 0; index++, paths += strlen(paths) + 1)
        result = confine_permit(rules, paths, access[index]);
    if (result == 0 && usual) result = confine_permit_usual(rules);
    if (result == 0 && usual) result = confine_permit_libraries(rules);
    if (result == 0) result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (result == 0) result = (int)syscall(446, rules.descriptor, 0);
    close(rules.descriptor);
    return result;
}

#if defined(__x86_64__)
#define CONFINE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CONFINE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define CONFINE_STATEMENT(code, value) {(uint16_t)(code), 0, 0, (uint32_t)(value)}
#define CONFINE_JUMP(code, value, yes, no) {(uint16_t)(code), yes, no, (uint32_t)(value)}
#define CONFINE_LOAD(member) CONFINE_STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
/* Refuses system calls of another architecture, and loads the number of the call. */
#define CONFINE_BEGIN                                                                                                  \
    CONFINE_LOAD(arch), CONFINE_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CONFINE_ARCHITECTURE, 1, 0),                            \
        CONFINE_STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), CONFINE_LOAD(nr)
/* If the system call has this number, returns the action; otherwise continues. */
#define CONFINE_CALL(number, action)                                                                                   \
    CONFINE_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), CONFINE_STATEMENT(BPF_RET | BPF_K, action)
#define CONFINE_PERMIT(number) CONFINE_CALL(number, SECCOMP_RET_ALLOW)
#define CONFINE_REFUSE(number) CONFINE_CALL(number, SECCOMP_RET_ERRNO | EPERM)

static inline int confine_filter(const struct sock_filter *filter, size_t count) {
    struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Refuses system calls that a program does not need to read files: sockets, tracing other processes, and the
 * administration of the system. Returns 0 if it succeeds. */
static inline int confine_calls(void) {
#ifndef CONFINE_ARCHITECTURE
    return -1;
#else
    static const struct sock_filter filter[] = {
        CONFINE_BEGIN,
#ifdef __x86_64__
        /* The system calls of the x32 interface. */
        CONFINE_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        CONFINE_STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
        CONFINE_REFUSE(__NR_socket), CONFINE_REFUSE(__NR_connect), CONFINE_REFUSE(__NR_bind),
        CONFINE_REFUSE(__NR_listen), CONFINE_REFUSE(__NR_accept), CONFINE_REFUSE(__NR_accept4),
        CONFINE_REFUSE(__NR_ptrace), CONFINE_REFUSE(__NR_process_vm_readv), CONFINE_REFUSE(__NR_process_vm_writev),
        CONFINE_REFUSE(__NR_kcmp), CONFINE_REFUSE(438 /* pidfd_getfd */), CONFINE_REFUSE(__NR_execveat),
        CONFINE_REFUSE(__NR_memfd_create), CONFINE_REFUSE(425 /* io_uring_setup */), CONFINE_REFUSE(__NR_bpf),
        CONFINE_REFUSE(__NR_perf_event_open), CONFINE_REFUSE(__NR_userfaultfd), CONFINE_REFUSE(__NR_unshare),
        CONFINE_REFUSE(__NR_setns), CONFINE_REFUSE(__NR_mount), CONFINE_REFUSE(__NR_umount2),
        CONFINE_REFUSE(__NR_pivot_root), CONFINE_REFUSE(__NR_chroot), CONFINE_REFUSE(__NR_keyctl),
        CONFINE_REFUSE(__NR_add_key), CONFINE_REFUSE(__NR_request_key), CONFINE_REFUSE(__NR_personality),
        CONFINE_REFUSE(__NR_open_by_handle_at), CONFINE_REFUSE(__NR_init_module), CONFINE_REFUSE(__NR_finit_module),
        CONFINE_REFUSE(__NR_delete_module), CONFINE_REFUSE(__NR_kexec_load), CONFINE_REFUSE(__NR_reboot),
        CONFINE_REFUSE(__NR_swapon), CONFINE_REFUSE(__NR_swapoff), CONFINE_REFUSE(__NR_acct),
        CONFINE_STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return confine_filter(filter, sizeof filter / sizeof *filter);
#endif
}

/* Permits only the system calls of a computation that reads from open descriptors and writes to them, without new
 * executable memory. Returns 0 if it succeeds. */
static inline int confine_to_computation(void) {
#ifndef CONFINE_ARCHITECTURE
    return -1;
#else
    static const struct sock_filter filter[] = {
        CONFINE_BEGIN,
        CONFINE_PERMIT(__NR_read), CONFINE_PERMIT(__NR_readv), CONFINE_PERMIT(__NR_write), CONFINE_PERMIT(__NR_writev),
        CONFINE_PERMIT(__NR_close), CONFINE_PERMIT(__NR_fstat), CONFINE_PERMIT(__NR_lseek), CONFINE_PERMIT(__NR_brk),
        CONFINE_PERMIT(__NR_munmap), CONFINE_PERMIT(__NR_mremap), CONFINE_PERMIT(__NR_madvise),
        CONFINE_PERMIT(__NR_futex), CONFINE_PERMIT(__NR_exit), CONFINE_PERMIT(__NR_exit_group),
        CONFINE_PERMIT(__NR_rt_sigreturn), CONFINE_PERMIT(__NR_rt_sigprocmask), CONFINE_PERMIT(__NR_rt_sigaction),
        CONFINE_PERMIT(__NR_sigaltstack), CONFINE_PERMIT(__NR_clock_gettime), CONFINE_PERMIT(__NR_clock_getres),
        CONFINE_PERMIT(__NR_gettimeofday), CONFINE_PERMIT(__NR_getrandom), CONFINE_PERMIT(__NR_getrusage),
        CONFINE_PERMIT(__NR_getpid), CONFINE_PERMIT(__NR_gettid), CONFINE_PERMIT(__NR_tgkill),
        CONFINE_PERMIT(__NR_setitimer), CONFINE_PERMIT(__NR_getitimer), CONFINE_PERMIT(__NR_sched_yield),
        CONFINE_PERMIT(__NR_sched_getaffinity), CONFINE_PERMIT(__NR_ppoll), CONFINE_PERMIT(__NR_restart_syscall),
        CONFINE_PERMIT(__NR_membarrier), CONFINE_PERMIT(334 /* rseq on x86-64 */),
#ifdef __NR_alarm
        CONFINE_PERMIT(__NR_alarm), CONFINE_PERMIT(__NR_poll), CONFINE_PERMIT(__NR_time),
#endif
        /* The other calls are permitted without PROT_EXEC. */
        CONFINE_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 2, 0),
        CONFINE_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 1, 0),
        CONFINE_STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        CONFINE_LOAD(args[2]),
        CONFINE_JUMP(BPF_JMP | BPF_JSET | BPF_K, 4, 0, 1),
        CONFINE_STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        CONFINE_STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return confine_filter(filter, sizeof filter / sizeof *filter);
#endif
}
