#include <spawn.h>
#include <sys/xattr.h>

/* The headers show these functions to GNU sources only. */
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int memfd_create(const char *, unsigned);

/* The environment, which a program that uses the library can change. */
static inline char **chemopen_environment(void)
{
    extern char **environ;
    return environ;
}
