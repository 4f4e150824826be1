#include "app/pull/pull_progress.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "dinette/base/file_advice.h"

#include "app/read_file.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;
using base::Failure;
using ProgressJson = nlohmann::json;

constexpr int progress_version = 1;
constexpr int only_for_the_user = 0600;
constexpr std::size_t most_segments = 1'000;

Failure<std::string> not_written(const fs::path& path, int why) {
  return Failure{path.string() + " cannot be written: " + std::generic_category().message(why) +
                 base::file_advice(path.string(), why)};
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(descriptor, text.data(), text.size());
    if (size < 0 && errno != EINTR) return errno;
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
  }
  return 0;
}

}  // namespace

base::Result<void, std::string> write_private_file(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return not_written(path.parent_path(), error.value());
  const std::string fresh = path.string() + ".new";
  const int descriptor = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, only_for_the_user);
  if (descriptor < 0) return not_written(fresh, errno);
  const int failure = write_all(descriptor, text);
  ::close(descriptor);
  if (failure != 0) return not_written(fresh, failure);
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return not_written(path, errno);
  return {};
}

std::string text_of(const PullProgress& progress) {
  ProgressJson segments = ProgressJson::array();
  for (const ReadSegment& one : progress.segments)
    segments.push_back({{"start", one.start}, {"pages", one.pages}, {"done", one.done}});
  return ProgressJson{{"version", progress_version}, {"tableId", progress.table_id}, {"wish", progress.wish},
                      {"mark", progress.mark},       {"items", progress.items},      {"segments", segments},
                      {"copied", progress.copied}}
             .dump(2, ' ', false, ProgressJson::error_handler_t::replace) +
         "\n";
}

base::Result<PullProgress, std::string> read_progress(std::string_view text) {
  using Count = ProgressJson::number_unsigned_t;  // a reference to it: others are not converted
  try {
    const ProgressJson json = ProgressJson::parse(text);
    if (json.at("version") != progress_version) return Failure{std::string("is of another version")};
    PullProgress progress{.table_id = json.at("tableId"),
                          .wish = json.at("wish"),
                          .mark = json.at("mark"),
                          .items = json.at("items").get_ref<const Count&>(),
                          .copied = json.at("copied")};
    for (const ProgressJson& one : json.at("segments")) {
      if (progress.segments.size() == most_segments) return Failure{std::string("has too many segments")};
      progress.segments.push_back({one.at("start"), one.at("pages").get_ref<const Count&>(), one.at("done")});
    }
    return progress;
  } catch (const ProgressJson::exception&) {
    return Failure{std::string("is damaged")};
  }
}

base::Result<std::optional<PullProgress>, std::string> ProgressFile::load() const {
  std::error_code ignored;
  if (!fs::exists(path_, ignored)) return std::optional<PullProgress>();
  DINETTE_TRY(const std::string text, read_file(path_.string(), "progress of a pull"));
  auto progress = read_progress(text);
  if (!progress) return Failure{path_.string() + " " + progress.error() + ": begin again with --replace"};
  return std::optional(std::move(progress).value());
}

base::Result<void, std::string> ProgressFile::save(const PullProgress& progress) const {
  return write_private_file(path_, text_of(progress));
}

}  // namespace dinette::app
