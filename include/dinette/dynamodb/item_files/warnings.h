#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::dynamodb::item_files {

/// Collects what is doubtful in files, or is lost of them, by kind: a file may have it a million times. For
/// one thread.
class Warnings {
 public:
  /// `kind`: a sentence without its full stop; `place`: file and line. Only the first place is kept.
  void add(std::string_view kind, std::string_view place);

  /// Returns one line per kind, in the order in which they were added: "KIND (PLACE)", or "KIND (3 times,
  /// first PLACE)".
  std::vector<std::string> lines() const;

 private:
  struct Kind {
    std::string text;
    std::string place;
    std::size_t count = 0;
  };

  std::vector<Kind> kinds_;
};

/// The warnings of one file.
struct FileWarnings {
  Warnings& warnings;
  std::string file;  ///< its name, for their places

  void add(std::string_view kind, std::string_view place) const {
    warnings.add(kind, file + ", " + std::string(place));
  }
};

}  // namespace dinette::dynamodb::item_files
