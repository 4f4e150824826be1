// Loaded before the C library (LD_PRELOAD): records what a disk must still have after a loss of power, and
// ends the program at one moment. Nothing is recorded but what the program has asked the disk to keep: of a
// file its bytes, of a folder its names, each as it was at the last fsync.
//
// DINETTE_DISK names the folder of the record: `<inode>` has the bytes of a file, `<inode>.names` a line for
// each name in a folder: `f` or `d`, the inode, the name. If it holds a file `cut`, the program is killed
// just before the nth request from then on, n being in it.

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::mutex mutex;
long requests = 0;  // since there is a `cut`; guarded by mutex

std::string record_of(const char* folder, ino_t inode) {
  return std::string(folder) + "/" + std::to_string(inode);
}

void kill_if_due(const char* folder) {
  std::FILE* const file = std::fopen((std::string(folder) + "/cut").c_str(), "r");
  if (file == nullptr) return;
  long nth = 0;
  const bool is_known = std::fscanf(file, "%ld", &nth) == 1;
  std::fclose(file);
  if (is_known && ++requests == nth) ::kill(::getpid(), SIGKILL);
}

void copy_bytes(const std::string& from, std::FILE* to) {
  const int source = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  char part[1 << 16];
  for (ssize_t size; (size = ::read(source, part, sizeof part)) > 0;)
    std::fwrite(part, 1, static_cast<std::size_t>(size), to);
  ::close(source);
}

void copy_names(const std::string& from, std::FILE* to) {
  DIR* const folder = ::opendir(from.c_str());
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    std::fprintf(to, "%c %lu %s\n", entry->d_type == DT_DIR ? 'd' : 'f',
                 static_cast<unsigned long>(entry->d_ino), name.c_str());
  }
  ::closedir(folder);
}

int record(int descriptor) {
  const char* const folder = std::getenv("DINETTE_DISK");
  const std::lock_guard guard(mutex);
  kill_if_due(folder);
  struct stat found {};
  if (::fstat(descriptor, &found) != 0) return -1;
  const bool is_folder = S_ISDIR(found.st_mode);
  const std::string here = "/proc/self/fd/" + std::to_string(descriptor);
  const std::string there = record_of(folder, found.st_ino) + (is_folder ? ".names" : "");
  // Held open, so that no later file gets the number.
  if (::access(there.c_str(), F_OK) != 0) (void)::open(here.c_str(), O_PATH | O_CLOEXEC);
  std::FILE* const file = std::fopen((there + ".new").c_str(), "w");
  if (file == nullptr) std::abort();
  is_folder ? copy_names(here, file) : copy_bytes(here, file);
  std::fclose(file);
  return std::rename((there + ".new").c_str(), there.c_str());
}

}  // namespace

extern "C" int fsync(int descriptor) {
  return record(descriptor);
}
extern "C" int fdatasync(int descriptor) {
  return record(descriptor);
}
