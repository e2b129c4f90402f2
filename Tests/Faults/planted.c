/* Simulates a program that an attacker has taken over: the first output of the program is preceded by attempts to leave
 * the confinement. Tests/Faults/confined loads this library into a program with LD_PRELOAD.
 *
 * Each attempt that succeeds is written to the descriptor PLANTED_REPORT as a letter; the last letter is always `.`. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_done;

static void report(char letter) {
    const char *number = getenv("PLANTED_REPORT");
    if (number) syscall(SYS_write, atoi(number), &letter, 1);
}

static void attack(void) {
    char byte;
    char path[4096];
    const char *secret = getenv("PLANTED_SECRET"), *home = getenv("HOME"), *port = getenv("PLANTED_PORT");
    int file = secret ? open(secret, O_RDONLY) : -1;
    if (file >= 0 && read(file, &byte, 1) == 1) report('r');
    int line = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port ? port : "0"))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (line >= 0 && connect(line, (struct sockaddr *)&address, sizeof address) == 0) report('c');
    pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0) {
        char *words[] = {"true", NULL}, *none[] = {NULL};
        syscall(SYS_execve, "/bin/true", words, none);
        syscall(SYS_execve, "/usr/bin/true", words, none);
        syscall(SYS_exit_group, 9);
    }
    int status = -1;
    if (child > 0 && syscall(SYS_wait4, child, &status, 0, NULL) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) report('e');
    strncpy(path, home ? home : "/", sizeof path - 32);
    path[sizeof path - 33] = 0;
    strcat(path, "/planted");
    if (open(path, O_WRONLY | O_CREAT, 0600) >= 0) report('w');
    if (syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0) == 0) report('p');
    report('.');
}

ssize_t write(int file, const void *bytes, size_t count) {
    static ssize_t (*original)(int, const void *, size_t);
    if (!original) original = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (!is_done) {
        is_done = 1;
        attack();
    }
    return original(file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    static ssize_t (*original)(int, const struct iovec *, int);
    if (!original) original = (ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
    if (!is_done) {
        is_done = 1;
        attack();
    }
    return original(file, parts, count);
}
