#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace dinette::app {

/// What files looked like when they were read, so that a change of any of them is noticed, whether it is
/// written or replaced. For one thread at a time.
class FileStamps {
 public:
  /// Must be called before the file is read. A file that is missing counts, too: it may appear.
  void add(const std::filesystem::path& file);

  /// Returns a text that differs from an earlier one if any of the files has changed.
  std::string now() const;
  /// Returns what now() returned if it had been called when the files were added.
  std::string before() const;

 private:
  std::map<std::string, std::string> stamps_;  ///< by path
};

}  // namespace dinette::app
