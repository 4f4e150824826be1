#include "kv/durable/engine_folders.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "kv/data_folder_names.h"
#include "kv/durable/engine_label.h"

namespace dinette::kv::durable {
namespace {

namespace fs = std::filesystem;

/// RocksDB writes a copy of a database into a folder with this at its end, and then takes it away.
constexpr std::string_view unfinished = ".tmp";

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

/// What is called after an engine.
struct Entry {
  fs::path path;
  std::uint64_t number = 0;
  std::string extension;  ///< none: the folder of the engine
};

/// Returns what is called after engines, in ascending order of their numbers.
std::vector<Entry> entries_in(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / engines_folder, ignored)) {
    const auto number = number_in(entry.path().stem().string());
    if (number) entries.push_back({entry.path(), *number, entry.path().extension().string()});
  }
  std::ranges::sort(entries, {}, &Entry::number);
  return entries;
}

/// Returns a path that nothing has.
fs::path lost_path(const fs::path& engine) {
  const fs::path lost = engine.parent_path() / ("lost-" + engine.filename().string());
  fs::path path = lost;
  std::error_code ignored;
  for (int more = 2; fs::exists(path, ignored); ++more) path = lost.string() + "-" + std::to_string(more);
  return path;
}

void set_aside(const fs::path& engine, Notice notice) {
  const fs::path lost = lost_path(engine);
  std::error_code error;
  fs::rename(engine, lost, error);
  if (error) return;
  notice(engine.string() + " is of no world that dinette.json names. It is now " + lost.string() +
         ": remove it if nothing is missing");
}

/// Returns what a folder without a label may be: of the only engine, the default world.
EngineLabel guessed(std::uint64_t number, bool alone) {
  if (alone) return {};
  return {.name = "recovered-" + std::to_string(number), .note = "fork"};
}

}  // namespace

fs::path engine_folder(const fs::path& folder, std::uint64_t number) {
  return folder / engines_folder / std::to_string(number);
}

std::string called(std::string_view name) {
  return name.empty() ? "the default world" : "the world '" + std::string(name) + "'";
}

Result<Manifest> read_whole_manifest(const fs::path& folder) {
  const fs::path path = folder / manifest_name;
  std::error_code error;
  if (!fs::exists(path, error)) {
    return base::Failure{Error{ErrorKind::corrupt, path.string() + " is missing, but there are data in " +
                                                       (folder / engines_folder).string() + ". " +
                                                       way_back(folder)}};
  }
  DINETTE_TRY(Manifest manifest, read_manifest(folder));
  for (const auto& [name, engine] : manifest.engines) {
    const fs::path its_folder = engine_folder(folder, engine.folder);
    if (fs::is_directory(its_folder, error)) continue;
    return base::Failure{Error{ErrorKind::corrupt, its_folder.string() +
                                                       " is missing, which has the data of " + called(name) +
                                                       ". " + way_back(folder)}};
  }
  return manifest;
}

Manifest rebuilt_manifest(const fs::path& folder, Notice notice) {
  std::vector<Entry> engines;
  for (Entry& entry : entries_in(folder)) {
    if (!entry.extension.empty() || !fs::is_directory(entry.path)) continue;
    const auto label = read_label(entry.path);
    if (!label || !label->temporary) engines.push_back(std::move(entry));
  }
  Manifest manifest;
  for (const Entry& engine : engines) {
    auto label = read_label(engine.path);
    if (!label || manifest.engines.contains(label->name)) {
      label = guessed(engine.number, engines.size() == 1);
      notice(engine.path.string() + " does not say of which world it is; it becomes " + called(label->name));
    }
    manifest.engines[label->name] = {engine.number, label->note};
  }
  return manifest;
}

std::uint64_t tidy_engines(const fs::path& folder, const Manifest& manifest, Notice notice) {
  std::error_code error;
  std::uint64_t last = 0;
  std::set<std::uint64_t> kept;
  for (const auto& [name, engine] : manifest.engines) {
    last = std::max(last, engine.folder);
    kept.insert(engine.folder);
    (void)write_label(engine_folder(folder, engine.folder), {.name = name, .note = engine.note});
  }
  for (const Entry& entry : entries_in(folder)) {
    last = std::max(last, entry.number);
    if (entry.extension == unfinished) fs::remove_all(entry.path, error);
    if (!entry.extension.empty() || kept.contains(entry.number)) continue;
    const auto label = read_label(entry.path);
    if (label && label->temporary) {
      fs::remove_all(entry.path, error);
    } else {
      set_aside(entry.path, notice);
    }
  }
  for (const Entry& entry : entries_in(folder)) {
    if (entry.extension != EngineLabel::extension || kept.contains(entry.number)) continue;
    if (!fs::exists(engine_folder(folder, entry.number), error)) fs::remove(entry.path, error);
  }
  return last;
}

}  // namespace dinette::kv::durable
