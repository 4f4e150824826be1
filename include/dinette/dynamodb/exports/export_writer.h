#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/exports/manifest.h"
#include "dinette/dynamodb/exports/objects.h"

namespace dinette::dynamodb::exports {

/// What an export is of, and where it goes.
struct ExportOrigin {
  std::string table_arn;
  std::string table_id;
  std::string bucket;                 ///< only named in the summary
  std::optional<std::string> prefix;  ///< of all keys
};

/// Writes one full export of a table, in DynamoDB JSON. begin(), add() for each item, finish(). What is
/// written is no whole export until finish() has succeeded: the summary comes last. For one thread.
class ExportWriter {
 public:
  /// Text of items per data file, about, which is also what the writer keeps in memory.
  static constexpr std::size_t default_file_bytes = 8 << 20;

  /// `objects`, `clock` and `ids` must outlive the writer.
  ExportWriter(Objects& objects, ExportOrigin origin, const base::Clock& clock, base::Ids& ids,
               std::size_t file_bytes = default_file_bytes);

  Outcome<void> begin();
  /// `item`: the attributes as JSON, such as `{"pk":{"S":"a"}}`, on one line.
  Outcome<void> add(std::string_view item);
  /// Writes what is left, and the manifests.
  Outcome<void> finish();

  std::uint64_t items() const { return items_; }

 private:
  std::string key_of(std::string_view name) const;
  Outcome<void> write_file();
  Outcome<void> write_with_digest(std::string_view name, std::string_view digest_name, std::string_view text);

  Objects& objects_;
  const ExportOrigin origin_;
  const base::Clock& clock_;
  base::Ids& ids_;
  const std::size_t file_bytes_;
  const base::TimePoint started_;
  const std::string id_;
  std::string lines_;  ///< of the next data file
  std::uint64_t lines_items_ = 0;
  std::uint64_t items_ = 0;
  std::vector<ListedFile> files_;
};

}  // namespace dinette::dynamodb::exports
