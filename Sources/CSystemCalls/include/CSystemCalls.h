/// The few system calls that Swift's own platform module does not import.
#ifndef CSYSTEMCALLS_H
#define CSYSTEMCALLS_H

#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/statfs.h>
#include <unistd.h>

/// The kernel's number for the kind of file system that holds `descriptor`, or -1 (errno is set).
static inline long keepsake_file_system_type(int descriptor) {
  struct statfs information;
  return fstatfs(descriptor, &information) == 0 ? (long)information.f_type : -1;
}

/// fcntl(2)'s open file description locks; values from <linux/fcntl.h>, which glibc hides
/// behind _GNU_SOURCE where Swift cannot define it.
enum { keepsake_F_OFD_GETLK = 36, keepsake_F_OFD_SETLK = 37, keepsake_F_OFD_SETLKW = 38 };
#endif

#endif
