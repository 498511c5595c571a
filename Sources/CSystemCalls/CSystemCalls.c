#include "CSystemCalls.h"

#if defined(__linux__)
#include <string.h>
#include <sys/syscall.h>

long keepsake_write(int descriptor, const void *bytes, unsigned long count) {
  return syscall(SYS_write, descriptor, bytes, count);
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
