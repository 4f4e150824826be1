#include "objects/descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dinette::objects {
namespace {

constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t folder_mode = 0777;  // less what the umask takes

FileKind kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::file;
  return S_ISDIR(mode) ? FileKind::folder : FileKind::other;
}

class FileReader final : public ObjectReader {
 public:
  FileReader(Descriptor file, ObjectInfo info) : file_(std::move(file)), info_(std::move(info)) {}

  const ObjectInfo& info() const override { return info_; }

  std::uint64_t position() const override { return position_; }

  Result<void> seek(std::uint64_t position) override {
    position_ = std::min(position, info_.size);
    return {};
  }

  Result<std::size_t> read(std::span<char> room) override {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), info_.size - position_));
    if (wanted == 0) return wanted;
    DINETTE_TRY(const std::size_t size, read_at(file_, position_, room.first(wanted)));
    if (size == 0) return base::Failure{Error{ErrorKind::failed, "the file has become shorter"}};
    position_ += size;
    return size;
  }

 private:
  const Descriptor file_;
  const ObjectInfo info_;
  std::uint64_t position_ = 0;
};

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Error last_error(std::string_view what) {
  const std::string why = std::system_category().message(errno);
  return {ErrorKind::failed, "cannot " + std::string(what) + ": " + why};
}

FileKind kind_of(const Descriptor& folder, const std::string& name) {
  struct stat found {};
  if (fstatat(folder.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return FileKind::missing;
  return kind_of_mode(found.st_mode);
}

Descriptor open_folder(const Descriptor& folder, const std::string& name) {
  return Descriptor(openat(folder.get(), name.c_str(), folder_flags));
}

Descriptor open_folder(const Descriptor& folder, std::span<const std::string> path) {
  Descriptor now = open_folder(folder, ".");
  for (const std::string& name : path) {
    if (!now) break;
    now = open_folder(now, name);
  }
  return now;
}

Result<Descriptor> make_folder(const Descriptor& folder, const std::string& name) {
  if (mkdirat(folder.get(), name.c_str(), folder_mode) != 0 && errno != EEXIST)
    return base::Failure{last_error("make a folder")};
  Descriptor made = open_folder(folder, name);
  if (!made) return base::Failure{last_error("open a folder")};
  return made;
}

Descriptor open_file(const Descriptor& folder, const std::string& name) {
  // Opening a pipe would wait.
  Descriptor file(openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found {};
  if (!file || fstat(file.get(), &found) != 0) return {};
  if (S_ISREG(found.st_mode)) return file;
  file = {};
  errno = ENOENT;
  return {};
}

bool is_missing() {
  return errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENXIO;
}

Result<void> visit_entries(const Descriptor& folder, base::FunctionRef<bool(FolderEntry&&)> visit) {
  const int own = openat(folder.get(), ".", folder_flags);
  if (own < 0) return base::Failure{last_error("open a folder")};
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(own), &closedir);
  if (!stream) {
    ::close(own);
    return base::Failure{last_error("read a folder")};
  }
  while (const dirent* const entry = readdir(stream.get())) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const FileKind kind = entry->d_type == DT_UNKNOWN ? kind_of(folder, name)
                          : entry->d_type == DT_REG   ? FileKind::file
                          : entry->d_type == DT_DIR   ? FileKind::folder
                                                      : FileKind::other;
    if (!visit({std::move(name), kind})) break;
  }
  return {};
}

Result<std::vector<FolderEntry>> entries_of(const Descriptor& folder) {
  std::vector<FolderEntry> entries;
  DINETTE_CHECK(visit_entries(folder, [&](FolderEntry&& entry) {
    entries.push_back(std::move(entry));
    return true;
  }));
  return entries;
}

Result<void> write_all(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(file.get(), bytes.data(), bytes.size());
    if (size < 0 && errno != EINTR) return base::Failure{last_error("write")};
    if (size > 0) bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return {};
}

Result<std::size_t> read_at(const Descriptor& file, std::uint64_t position, std::span<char> room) {
  for (;;) {
    const ssize_t size = pread(file.get(), room.data(), room.size(), static_cast<off_t>(position));
    if (size >= 0) return static_cast<std::size_t>(size);
    if (errno != EINTR) return base::Failure{last_error("read")};
  }
}

std::string read_text(const Descriptor& folder, const std::string& name) {
  const Descriptor file = open_file(folder, name);
  std::string text;
  std::array<char, 4096> part;
  while (file) {
    const auto size = read_at(file, text.size(), part);
    if (!size || *size == 0) break;
    text.append(part.data(), *size);
  }
  return text;
}

base::TimePoint time_of(const timespec& time) {
  return base::TimePoint(std::chrono::seconds(time.tv_sec)) +
         std::chrono::floor<std::chrono::microseconds>(std::chrono::nanoseconds(time.tv_nsec));
}

std::unique_ptr<ObjectReader> make_file_reader(Descriptor file, ObjectInfo info) {
  return std::make_unique<FileReader>(std::move(file), std::move(info));
}

}  // namespace dinette::objects
