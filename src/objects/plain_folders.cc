#include "dinette/objects/plain_folders.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include "dinette/base/file_advice.h"

#include "objects/descriptor.h"

namespace dinette::objects {
namespace {

namespace fs = std::filesystem;

base::Failure<Error> refusal(ErrorKind kind, std::string message) {
  return {Error{kind, std::move(message)}};
}

std::string system_reason() {
  return std::generic_category().message(errno);
}

Result<fs::path> file_of(const std::string& bucket, const fs::path& key) {
  if (key.is_absolute() || std::ranges::find(key, "..") != key.end())
    return refusal(ErrorKind::invalid_key, "the key leads out of the folder");
  return bucket / key;
}

ObjectInfo info_of(std::string key, const struct stat& file) {
  return {std::move(key), static_cast<std::uint64_t>(file.st_size), "", time_of(file.st_mtim)};
}

class PlainWriter final : public ObjectWriter {
 public:
  PlainWriter(fs::path path, std::string key) : path_(std::move(path)), key_(std::move(key)) {}

  Result<void> write(std::string_view bytes) override {
    bytes_ += bytes;
    return {};
  }

  Result<ObjectInfo> finish(std::optional<std::string>) override {
    std::error_code error;
    const fs::path folder = path_.parent_path();
    fs::create_directories(folder, error);
    if (error) return refusal(ErrorKind::failed, folder.string() + " cannot be made: " + error.message());
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file << bytes_;
    file.close();
    struct stat written {};
    if (!file || ::stat(path_.c_str(), &written) != 0)
      return refusal(ErrorKind::failed, path_.string() + " cannot be written: " + system_reason());
    return info_of(key_, written);
  }

 private:
  const fs::path path_;
  const std::string key_;
  std::string bytes_;
};

}  // namespace

Result<std::unique_ptr<ObjectWriter>> PlainFolders::write(const std::string& bucket, const std::string& key,
                                                          std::vector<std::pair<std::string, std::string>>) {
  DINETTE_TRY(fs::path path, file_of(bucket, key));
  return std::unique_ptr<ObjectWriter>(std::make_unique<PlainWriter>(std::move(path), key));
}

Result<std::unique_ptr<ObjectReader>> PlainFolders::open(const std::string& bucket, const std::string& key) {
  DINETTE_TRY(const fs::path path, file_of(bucket, key));
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // opening a pipe would wait
  struct stat found {};
  if (!file || fstat(file.get(), &found) != 0)
    return refusal(is_missing() ? ErrorKind::no_such_object : ErrorKind::failed, system_reason());
  if (!S_ISREG(found.st_mode)) return refusal(ErrorKind::no_such_object, "it is not a regular file");
  return make_file_reader(std::move(file), info_of(key, found));
}

Result<Listing> PlainFolders::list(const std::string& bucket, const ListRequest& request) {
  std::error_code error;
  if (!fs::is_directory(bucket, error)) return refusal(ErrorKind::no_such_bucket, "there is no such folder");
  std::map<std::string, std::optional<ObjectInfo>> found;  // nothing: a common prefix
  fs::recursive_directory_iterator entry(bucket, fs::directory_options::follow_directory_symlink, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    struct stat file {};
    // A link that leads nowhere is listed, too: opening it is an error.
    const bool is_folder = ::stat(entry->path().c_str(), &file) == 0 && S_ISDIR(file.st_mode);
    const std::string key = entry->path().lexically_relative(bucket).string() + (is_folder ? "/" : "");
    const bool wanted = key.starts_with(request.prefix);
    const auto prefix = wanted ? common_prefix(request, key) : std::nullopt;
    if (prefix)
      found.emplace(*prefix, std::nullopt);
    else if (wanted && !is_folder)
      found.emplace(key, info_of(key, file));
    if (is_folder && (prefix || !(wanted || request.prefix.starts_with(key))))
      entry.disable_recursion_pending();
  }
  if (error) return refusal(ErrorKind::failed, error.message() + base::file_advice(bucket, error.value()));
  Listing listing;
  for (auto& [key, object] : found) {
    if ((object ? key : after_all_of(key)) <= request.after) continue;
    listing.more = listing.objects.size() + listing.prefixes.size() == request.limit;
    if (listing.more) break;
    if (object)
      listing.objects.push_back(*std::move(object));
    else
      listing.prefixes.push_back(key);
  }
  return listing;
}

}  // namespace dinette::objects
