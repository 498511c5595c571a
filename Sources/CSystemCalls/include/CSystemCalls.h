/// The system calls and processor instructions that Swift cannot use directly.
#ifndef CSYSTEMCALLS_H
#define CSYSTEMCALLS_H

#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/statfs.h>
#include <unistd.h>

/// The kernel's number for the type of file system that `descriptor` is on, or -1 (errno is set).
static inline long keepsake_file_system_type(int descriptor) {
  struct statfs information;
  return fstatfs(descriptor, &information) == 0 ? (long)information.f_type : -1;
}

/// syncfs(2), which glibc hides behind _GNU_SOURCE too.
static inline int keepsake_syncfs(int descriptor) { return syncfs(descriptor); }

/// renameat2(2) with RENAME_EXCHANGE, which not every C library declares.
int keepsake_exchange(const char *first, const char *second);

/// fcntl(2)'s open file description locks; values from <linux/fcntl.h>, which glibc hides
/// behind _GNU_SOURCE, which Swift cannot define.
enum { keepsake_F_OFD_GETLK = 36, keepsake_F_OFD_SETLK = 37, keepsake_F_OFD_SETLKW = 38 };

/// write(2) without the C library's support for thread cancellation, since Swift never cancels a
/// thread.
long keepsake_write(int descriptor, const void *bytes, unsigned long count);

/// keepsake_write(), then lseek(2) for the offset where the bytes end; `end` is -1 if only lseek(2)
/// failed.
long keepsake_append(
    int descriptor, const void *bytes, unsigned long count, long long *end);

/// Identifies a directory permanently.
struct keepsake_identity {
  unsigned long long number;
  /// The birth time, since 1970; 0 if the file system does not report it.
  long long born_seconds;
  unsigned int born_nanoseconds;
  /// The kernel's handle, which contains the number's generation; `handle_size` is 0 if there is
  /// none.
  int handle_type;
  unsigned int handle_size;
  unsigned char handle[128];
};

/// Reads the identity of an open directory: statx(2), name_to_handle_at(2). Returns 0, or -1 (errno
/// is set).
int keepsake_identify(int descriptor, struct keepsake_identity *identity);

/// fgetxattr(2).
long keepsake_get_attribute(int descriptor, const char *name, void *bytes, unsigned long count);

/// fsetxattr(2), which fails if the attribute exists.
int keepsake_add_attribute(
    int descriptor, const char *name, const void *bytes, unsigned long count);
#endif

/// Whether ``keepsake_crc32c`` can be used on this processor.
int keepsake_has_crc32c(void);

/// Adds bytes to a CRC-32C with the processor's instruction.
unsigned keepsake_crc32c(unsigned checksum, const void *bytes, unsigned long count);

#endif
