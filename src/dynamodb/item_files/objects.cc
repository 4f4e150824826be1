#include "dinette/dynamodb/item_files/objects.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace dinette::dynamodb::item_files {
namespace {

namespace fs = std::filesystem;
using base::Failure;

/// Returns the reason of the last call that failed.
std::string system_reason() {
  return std::generic_category().message(errno);
}

class FileStream final : public ObjectStream {
 public:
  explicit FileStream(const fs::path& path) : path_(path), file_(path, std::ios::binary) {}

  bool opened() const { return file_.is_open(); }

  Outcome<std::size_t> read(std::span<char> room) override {
    file_.read(room.data(), static_cast<std::streamsize>(room.size()));
    if (file_.bad()) return Failure{path_.string() + " cannot be read: " + system_reason()};
    return static_cast<std::size_t>(file_.gcount());
  }

 private:
  const fs::path path_;
  std::ifstream file_;
};

}  // namespace

Outcome<std::string> read_object(const Objects& objects, std::string_view key, std::size_t limit) {
  DINETTE_TRY(const auto stream, objects.open(key));
  std::string text;
  std::string part(std::size_t{64} << 10, '\0');
  for (;;) {
    DINETTE_TRY(const std::size_t size, stream->read(part));
    if (size == 0) return text;
    text.append(part, 0, size);
    if (text.size() > limit) return Failure{objects.name_of(key) + " is too large for what it should be"};
  }
}

Outcome<void> FolderObjects::put(std::string_view key, std::string_view bytes) {
  const fs::path path = folder_ / key;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return Failure{path.parent_path().string() + " cannot be made: " + error.message()};
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return Failure{path.string() + " cannot be written: " + system_reason()};
  return {};
}

Outcome<std::unique_ptr<ObjectStream>> FolderObjects::open(std::string_view key) const {
  const fs::path path = folder_ / key;
  auto stream = std::make_unique<FileStream>(path);
  if (!stream->opened()) return Failure{path.string() + " cannot be read: " + system_reason()};
  return std::unique_ptr<ObjectStream>(std::move(stream));
}

bool FolderObjects::has(std::string_view key) const {
  std::error_code ignored;
  return fs::exists(folder_ / key, ignored);
}

std::string FolderObjects::name_of(std::string_view key) const {
  return (folder_ / key).string();
}

std::vector<std::string> FolderObjects::names() const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const bool folder = entry.is_directory(ignored);
    names.push_back(entry.path().filename().string() + (folder ? "/" : ""));
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace dinette::dynamodb::item_files
