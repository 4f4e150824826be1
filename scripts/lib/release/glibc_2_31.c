// What static libraries of GCC 12 on Debian 12 use of glibc after 2.31. Programs linked with this run with glibc 2.31 and later.

#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// Since 2.32: true while there is only one thread. Without it reference counts are always atomic.
char __libc_single_threaded = 0;

// Since 2.36. They cannot fail. getrandom() may be interrupted, or fail in kernels that are older than glibc 2.31 asks for.
void arc4random_buf(void* bytes, size_t size) {
  for (unsigned char* next = bytes; size > 0;) {
    const ssize_t got = getrandom(next, size, 0);
    if (got < 0 && errno != EINTR) abort();
    if (got < 0) continue;
    next += got;
    size -= (size_t)got;
  }
}

uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}

// Since 2.35: where the object that has an address is mapped, and its table of how to unwind its stack frames. The structure is
// dl_find_object in glibc's <dlfcn.h>, on x86-64 and AArch64; it has another name, because the compiler for AArch64 has newer headers.
struct object {
  unsigned long long flags;
  void* map_start;
  void* map_end;
  struct link_map* link_map;
  void* eh_frame;
  unsigned long long reserved[7];
};

struct search {
  uintptr_t address;
  struct object* found;
};

static int look_into(struct dl_phdr_info* mapped, size_t size, void* data) {
  (void)size;
  struct search* search = data;
  const ElfW(Phdr)* loaded = NULL;
  const ElfW(Phdr)* frames = NULL;
  uintptr_t end = 0;
  uintptr_t start = UINTPTR_MAX;
  for (const ElfW(Phdr)* header = mapped->dlpi_phdr; header != mapped->dlpi_phdr + mapped->dlpi_phnum; ++header) {
    if (header->p_type == PT_GNU_EH_FRAME) frames = header;
    if (header->p_type != PT_LOAD) continue;
    const uintptr_t first = mapped->dlpi_addr + header->p_vaddr;
    if (first < start) start = first;
    if (first + header->p_memsz > end) end = first + header->p_memsz;
    if (search->address >= first && search->address < first + header->p_memsz) loaded = header;
  }
  if (loaded == NULL || frames == NULL) return 0;
  search->found->map_start = (void*)start;
  search->found->map_end = (void*)end;
  search->found->eh_frame = (void*)(mapped->dlpi_addr + frames->p_vaddr);
  return 1;
}

// The only caller is the unwinder of GCC, which reads eh_frame alone.
int find_object(void* address, struct object* result) __asm__("_dl_find_object");

int find_object(void* address, struct object* result) {
  struct search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(look_into, &search) == 1 ? 0 : -1;
}
