// Headers of glibc that Swift's module of it leaves out: how memory that is let go is kept, where a program's tables lie,
// what files bear beside their bytes.
#include <elf.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/xattr.h>
