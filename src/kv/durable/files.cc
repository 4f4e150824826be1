#include "kv/durable/files.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dinette/base/file_advice.h"

#include "kv/data_folder_names.h"

namespace dinette::kv::durable {
namespace {

constexpr mode_t file_mode = 0644;

base::Failure<Error> failed(const std::filesystem::path& path, const char* what) {
  return base::Failure{io_error(path, what, std::error_code(errno, std::generic_category()))};
}

Result<void> write_all(const OpenFile& file, std::string_view contents, const std::filesystem::path& path) {
  while (!contents.empty()) {
    const ssize_t written = ::write(file.descriptor(), contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed(path, "written");
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::string read_owner(const OpenFile& file) {
  char text[32];
  const ssize_t size = ::pread(file.descriptor(), text, sizeof text, 0);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "unknown";
}

Result<void> lock(const OpenFile& file, int how, const std::filesystem::path& path) {
  if (::flock(file.descriptor(), how | LOCK_NB) == 0) return {};
  if (errno != EWOULDBLOCK) return failed(path, "locked");
  return base::Failure{Error{ErrorKind::io, path.parent_path().string() +
                                                " is in use by another server (process " + read_owner(file) +
                                                "). Stop that one, or name another folder"}};
}

}  // namespace

Error io_error(const std::filesystem::path& path, const char* what, const std::error_code& error) {
  return {ErrorKind::io, path.string() + " cannot be " + what + ": " + error.message() +
                             base::file_advice(path, error.value(), path.parent_path())};
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat found {};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &found) != 0) return std::nullopt;
  if (found.st_size == 0) return MappedFile({});
  const auto size = static_cast<std::size_t>(found.st_size);
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (begin == MAP_FAILED) return std::nullopt;
  ::madvise(begin, size, MADV_SEQUENTIAL);
  return MappedFile({static_cast<const char*>(begin), size});
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

Result<OpenFile> open_file(const std::filesystem::path& path, int flags) {
  OpenFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | flags, file_mode));
  if (file.descriptor() < 0) return failed(path, "written");
  return file;
}

Result<OpenFile> lock_file(const std::filesystem::path& path) {
  DINETTE_TRY(OpenFile file, open_file(path));
  DINETTE_CHECK(lock(file, LOCK_EX, path));
  if (::ftruncate(file.descriptor(), 0) != 0) return failed(path, "written");
  DINETTE_CHECK(write_all(file, std::to_string(::getpid()), path));
  return file;
}

Result<OpenFile> share_file(const std::filesystem::path& path) {
  OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.descriptor() < 0) {
    if (errno == ENOENT) return file;
    return failed(path, "read");
  }
  DINETTE_CHECK(lock(file, LOCK_SH, path));
  return file;
}

bool is_same_file(const OpenFile& file, const std::filesystem::path& path) {
  struct stat open {};
  struct stat found {};
  return ::fstat(file.descriptor(), &open) == 0 && ::stat(path.c_str(), &found) == 0 &&
         open.st_dev == found.st_dev && open.st_ino == found.st_ino;
}

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<void> write_file(const std::filesystem::path& path, std::string_view contents) {
  DINETTE_TRY(const OpenFile file, open_file(path, O_TRUNC));
  return write_all(file, contents, path);
}

Result<void> replace_file(const std::filesystem::path& path, std::string_view contents) {
  const std::filesystem::path fresh = path.string() + fresh_extension;
  {
    DINETTE_TRY(const OpenFile file, open_file(fresh, O_TRUNC));
    DINETTE_CHECK(write_all(file, contents, fresh));
    if (::fsync(file.descriptor()) != 0) return failed(fresh, "written");
  }
  if (::rename(fresh.c_str(), path.c_str()) != 0) return failed(path, "replaced");
  return sync_folder(path.parent_path());
}

Result<void> cut_file(const std::filesystem::path& path, std::uint64_t size) {
  DINETTE_TRY(const OpenFile file, open_file(path));
  if (::ftruncate(file.descriptor(), static_cast<off_t>(size)) != 0) return failed(path, "written");
  return sync_file(file, path);
}

Result<void> write_at_begin(const OpenFile& file, std::string_view contents,
                            const std::filesystem::path& path) {
  if (::lseek(file.descriptor(), 0, SEEK_SET) != 0) return failed(path, "written");
  return write_all(file, contents, path);
}

Result<void> sync_file(const OpenFile& file, const std::filesystem::path& path) {
  if (::fdatasync(file.descriptor()) != 0) return failed(path, "written");
  return {};
}

Result<void> sync_folder(const std::filesystem::path& folder) {
  const OpenFile open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.descriptor() < 0 || ::fsync(open.descriptor()) != 0) return failed(folder, "written");
  return {};
}

}  // namespace dinette::kv::durable
