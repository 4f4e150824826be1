#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dinette/base/result.h"

namespace dinette::app {

/// How far a part of a table has been read.
struct ReadSegment {
  std::string start = {};  ///< the key after which to continue, as JSON; empty: the beginning
  std::uint64_t pages = 0;
  bool done = false;
};

/// How far a pull of a table has come: everything counted here is at the destination.
struct PullProgress {
  std::string table_id = {};  ///< of the table at the source, which may be another one the next time
  std::string wish = {};      ///< what was wanted: source, filter, sample, rules
  std::string mark = {};      ///< of the destination (PullDestination); empty: nothing is there yet
  std::uint64_t items = 0;
  std::vector<ReadSegment> segments = {};
  bool copied = false;  ///< all items are there
};

/// The file that keeps it, readable by the user alone, since it has keys of items.
class ProgressFile {
 public:
  explicit ProgressFile(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }

  /// Returns what was saved last; nothing if there is no file. The error is a sentence.
  base::Result<std::optional<PullProgress>, std::string> load() const;
  /// Replaces the file at once: whenever the process is killed, there is the old one or the new one.
  base::Result<void, std::string> save(const PullProgress& progress) const;

 private:
  const std::filesystem::path path_;
};

/// Reads the text of such a file. The error is the end of a sentence.
base::Result<PullProgress, std::string> read_progress(std::string_view text);
std::string text_of(const PullProgress& progress);

/// Writes a file that only the user can read, in one step. The error is a sentence.
base::Result<void, std::string> write_private_file(const std::filesystem::path& path, std::string_view text);

}  // namespace dinette::app
