/// The few system calls and instructions that Swift itself does not reach.
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

/// syncfs(2), which glibc hides behind _GNU_SOURCE too.
static inline int keepsake_syncfs(int descriptor) { return syncfs(descriptor); }

/// renameat2(2) with RENAME_EXCHANGE, for which not every C library has a function.
int keepsake_exchange(const char *first, const char *second);

/// fcntl(2)'s open file description locks; values from <linux/fcntl.h>, which glibc hides
/// behind _GNU_SOURCE where Swift cannot define it.
enum { keepsake_F_OFD_GETLK = 36, keepsake_F_OFD_SETLK = 37, keepsake_F_OFD_SETLKW = 38 };

/// write(2) as it is, without what the C library does around it so that a thread can be cancelled,
/// which no thread of Swift ever is.
long keepsake_write(int descriptor, const void *bytes, unsigned long count);

/// keepsake_write(), and then lseek(2) for where the bytes end; `end` is -1 where that failed alone.
long keepsake_append(
    int descriptor, const void *bytes, unsigned long count, long long *end);

/// What tells one directory from all others, now and later.
struct keepsake_identity {
  unsigned long long number;
  /// Seconds and nanoseconds since 1970; 0 where the file system does not say.
  long long born_seconds;
  unsigned int born_nanoseconds;
  /// The kernel's handle, which holds the number's generation; `handle_size` is 0 where there is
  /// none.
  int handle_type;
  unsigned int handle_size;
  unsigned char handle[128];
};

/// Finds out what tells an open directory from others: statx(2), name_to_handle_at(2). Returns 0, or
/// -1 (errno is set).
int keepsake_identify(int descriptor, struct keepsake_identity *identity);

/// fgetxattr(2).
long keepsake_get_attribute(int descriptor, const char *name, void *bytes, unsigned long count);

/// fsetxattr(2), where there is no attribute of the name yet.
int keepsake_add_attribute(
    int descriptor, const char *name, const void *bytes, unsigned long count);
#endif

/// Whether ``keepsake_crc32c`` can be used on this processor.
int keepsake_has_crc32c(void);

/// Takes bytes into a CRC-32C by the processor's own instruction.
unsigned keepsake_crc32c(unsigned checksum, const void *bytes, unsigned long count);

#endif
