#include "CSystemCalls.h"

#if defined(__linux__)
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

// In place, for after a system call the processor guesses each return to a caller wrong: with the C
// library's functions a set of one value takes 3 % longer.
static inline long call(long number, long first, long second, long third) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(first), "S"(second), "d"(third)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x1 __asm__("x1") = second;
  register long x2 __asm__("x2") = third;
  register long result __asm__("x0") = first;
  __asm__ volatile("svc 0" : "+r"(result) : "r"(x8), "r"(x1), "r"(x2) : "memory");
#else
  return syscall(number, first, second, third);
#endif
#if defined(__x86_64__) || defined(__aarch64__)
  if (result >= 0) return result;
  errno = (int)-result;
  return -1;
#endif
}

long keepsake_write(int descriptor, const void *bytes, unsigned long count) {
  return call(SYS_write, descriptor, (long)bytes, (long)count);
}

long keepsake_append(int descriptor, const void *bytes, unsigned long count, long long *end) {
  long written = keepsake_write(descriptor, bytes, count);
  if (written < 0) return written;
#if __LP64__
  *end = call(SYS_lseek, descriptor, 0, SEEK_CUR);
#else
  *end = lseek64(descriptor, 0, SEEK_CUR);
#endif
  return written;
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
  if (count >= 4) {
    unsigned word;
    __builtin_memcpy(&word, next, 4);
    checksum = __builtin_ia32_crc32si(checksum, word);
    next += 4, count -= 4;
  }
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
