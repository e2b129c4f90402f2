// How memory that is let go is kept: glibc's own header, which Swift's module of it leaves out.
#include <malloc.h>
