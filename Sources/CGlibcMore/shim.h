// Headers of glibc that Swift's module of it leaves out: how memory that is let go is kept, where a program's tables lie.
#include <elf.h>
#include <malloc.h>
#include <sys/auxv.h>
