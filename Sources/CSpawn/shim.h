#include <spawn.h>

/* The headers show this function to GNU sources only. */
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
