// Swift's module for the C library leaves this header out.
#ifdef __linux__
#include <sys/xattr.h>
#endif
