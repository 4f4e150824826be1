#include "kv/durable/files.h"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace dinette::kv::durable {
namespace {

constexpr mode_t file_mode = 0644;

base::Failure<Error> failed(const std::filesystem::path& path, const char* what) {
  return base::Failure{Error{
      ErrorKind::io, path.string() + " cannot be " + what + ": " + std::generic_category().message(errno)}};
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

}  // namespace

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<OpenFile> open_file(const std::filesystem::path& path, int flags) {
  OpenFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | flags, file_mode));
  if (file.descriptor() < 0) return failed(path, "written");
  return file;
}

Result<OpenFile> lock_file(const std::filesystem::path& path) {
  DINETTE_TRY(OpenFile file, open_file(path));
  if (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failed(path, "locked");
    return base::Failure{
        Error{ErrorKind::io, path.parent_path().string() + " is in use by another server (process " +
                                 read_owner(file) + "). Stop that one, or name another folder"}};
  }
  if (::ftruncate(file.descriptor(), 0) != 0) return failed(path, "written");
  DINETTE_CHECK(write_all(file, std::to_string(::getpid()), path));
  return file;
}

Result<void> replace_file(const std::filesystem::path& path, std::string_view contents) {
  const std::filesystem::path fresh = path.string() + ".new";
  {
    DINETTE_TRY(const OpenFile file, open_file(fresh, O_TRUNC));
    DINETTE_CHECK(write_all(file, contents, fresh));
    if (::fsync(file.descriptor()) != 0) return failed(fresh, "written");
  }
  if (::rename(fresh.c_str(), path.c_str()) != 0) return failed(path, "replaced");
  return sync_folder(path.parent_path());
}

Result<void> sync_folder(const std::filesystem::path& folder) {
  const OpenFile open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.descriptor() < 0 || ::fsync(open.descriptor()) != 0) return failed(folder, "written");
  return {};
}

}  // namespace dinette::kv::durable
