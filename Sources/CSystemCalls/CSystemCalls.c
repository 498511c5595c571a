#include "CSystemCalls.h"

#if defined(__linux__)
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

long keepsake_write(int descriptor, const void *bytes, unsigned long count) {
  return syscall(SYS_write, descriptor, bytes, count);
}

int keepsake_exchange(const char *first, const char *second) {
  const unsigned exchange = 1u << 1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, exchange);
}

int keepsake_identify(int descriptor, struct keepsake_identity *identity) {
  memset(identity, 0, sizeof *identity);
  struct statx information;
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &information) != 0) return -1;
  identity->number = information.stx_ino;
  if (information.stx_mask & STATX_BTIME) {
    identity->born_seconds = information.stx_btime.tv_sec;
    identity->born_nanoseconds = information.stx_btime.tv_nsec;
  }
  union {
    struct file_handle handle;
    char bytes[sizeof(struct file_handle) + sizeof identity->handle];
  } room;
  int mount;
  room.handle.handle_bytes = sizeof identity->handle;
  if (name_to_handle_at(descriptor, "", &room.handle, &mount, AT_EMPTY_PATH) == 0) {
    identity->handle_type = room.handle.handle_type;
    identity->handle_size = room.handle.handle_bytes;
    memcpy(identity->handle, room.handle.f_handle, room.handle.handle_bytes);
  }
  return 0;
}

long keepsake_get_attribute(int descriptor, const char *name, void *bytes, unsigned long count) {
  return fgetxattr(descriptor, name, bytes, count);
}

int keepsake_add_attribute(
    int descriptor, const char *name, const void *bytes, unsigned long count) {
  return fsetxattr(descriptor, name, bytes, count, XATTR_CREATE);
}
#endif

#if defined(__x86_64__)
#include <cpuid.h>

int keepsake_has_crc32c(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

__attribute__((target("sse4.2"))) unsigned keepsake_crc32c(
    unsigned checksum, const void *bytes, unsigned long count) {
  const unsigned char *next = bytes;
  unsigned long long wide = checksum;
  for (; count >= 8; next += 8, count -= 8) {
    unsigned long long word;
    __builtin_memcpy(&word, next, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  checksum = (unsigned)wide;
  for (; count > 0; next += 1, count -= 1) checksum = __builtin_ia32_crc32qi(checksum, *next);
  return checksum;
}
#else
int keepsake_has_crc32c(void) { return 0; }
unsigned keepsake_crc32c(unsigned checksum, const void *bytes, unsigned long count) {
  (void)bytes, (void)count;
  return checksum;
}
#endif
