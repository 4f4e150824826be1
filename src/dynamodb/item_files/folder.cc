#include "dynamodb/item_files/folder.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

// Far more than such files have.
constexpr std::size_t most_manifest_bytes = 64 << 20;
constexpr std::size_t part_bytes = 256 << 10;

}  // namespace

Failure<std::string> Folder::wrong(std::string_view key, std::string_view what) const {
  return Failure{(path_ / key).string() + " " + std::string(what)};
}

Outcome<FolderNames> Folder::names() const {
  auto listed = store_.list(text(), {.limit = std::numeric_limits<std::size_t>::max(), .delimiter = "/"});
  if (!listed && listed.error().kind == objects::ErrorKind::no_such_bucket)
    return Failure{text() + " is not a folder"};
  if (!listed) return Failure{text() + " cannot be read: " + listed.error().message};
  FolderNames names = std::move(listed->prefixes);
  for (objects::ObjectInfo& file : listed->objects) names.push_back(std::move(file.key));
  return names;
}

bool Folder::has(const std::string& key) const {
  const auto file = store_.open(text(), key);
  return file || file.error().kind != objects::ErrorKind::no_such_object;
}

Outcome<std::unique_ptr<objects::ObjectReader>> Folder::open(const std::string& key) const {
  auto file = store_.open(text(), key);
  if (!file) return wrong(key, "cannot be read: " + file.error().message);
  return std::move(file).value();
}

Outcome<void> Folder::read(const std::string& key, base::FunctionRef<void(std::string_view)> take,
                           std::uint64_t most_bytes) const {
  DINETTE_TRY(const auto file, open(key));
  if (file->info().size > most_bytes) return wrong(key, "is too large for what it should be");
  std::string part(part_bytes, '\0');
  for (;;) {
    const auto size = file->read(part);
    if (!size) return wrong(key, "cannot be read: " + size.error().message);
    if (*size == 0) return {};
    take({part.data(), *size});
  }
}

Outcome<std::string> Folder::read_small(std::string_view key) const {
  std::string text;
  DINETTE_CHECK(read(
      std::string(key), [&](std::string_view part) { text += part; }, most_manifest_bytes));
  return text;
}

}  // namespace dinette::dynamodb::item_files
