// Memory that a process gives back to the system, by functions that Swift's module for the C library leaves out.

#ifndef TICKBIRD_FREED_MEMORY_H
#define TICKBIRD_FREED_MEMORY_H

/// Lets each block of a megabyte or more be mapped by itself, so that it goes back to the system when it is
/// freed; from now on, in the whole process.
///
/// Otherwise glibc takes larger and larger ones out of a thread's arena, whose end it never gives back.
void tickbird_map_large_memory(void);

/// Gives memory that has been freed back to the system, where the C library keeps it.
///
/// glibc keeps what lies between blocks in use, in each thread's arena, until it is told. Other threads
/// wait for the arena that this is at.
void tickbird_return_freed_memory(void);

/// Unmaps the pages of the program's code and constants, which are mapped anew as they are used.
///
/// What is used next comes from the system's cache of files, in which it stays unless the memory is needed.
/// Breakpoints that a debugger has set in the code are lost. Does nothing where there is no Linux.
void tickbird_unmap_code(void);

#endif
