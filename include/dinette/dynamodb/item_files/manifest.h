#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/dynamodb/item_files/outcome.h"
#include "dinette/objects/object_store.h"

/// The layout of an export to S3 (docs/service/export-import.md section 1, "Objects written").
namespace dinette::dynamodb::item_files {

// Names of objects, below `[<prefix>/]AWSDynamoDB/<export id>/`.
inline constexpr std::string_view exports_folder = "AWSDynamoDB";
inline constexpr std::string_view started_name = "_started";
inline constexpr std::string_view summary_name = "manifest-summary.json";
inline constexpr std::string_view summary_digest_name = "manifest-summary.md5";
inline constexpr std::string_view files_name = "manifest-files.json";
inline constexpr std::string_view files_digest_name = "manifest-files.md5";
inline constexpr std::string_view data_folder_name = "data";

/// One data file, as manifest-files.json lists it.
struct ListedFile {
  std::uint64_t items = 0;
  std::string md5;               ///< base64, of the file as stored
  std::string etag;              ///< as S3 has it; ignored by readers
  std::string key;               ///< from the root of the bucket
  std::string output_type = {};  ///< of a report of a bulk operation; empty in exports, and when read
};

enum class DataFormat { dynamodb_json, ion };

/// The window of an incremental export: changes from `from`, inclusive, to `to`, exclusive.
struct ChangeWindow {
  base::TimePoint from;
  base::TimePoint to;
  bool old_images = true;  ///< NEW_AND_OLD_IMAGES
};

/// The contents of manifest-summary.json.
struct Summary {
  std::string export_arn = {};
  base::TimePoint started = {};
  base::TimePoint ended = {};
  std::string table_arn = {};
  std::string table_id = {};
  base::TimePoint export_time = {};         ///< of the items, in a full export
  std::optional<ChangeWindow> window = {};  ///< of an incremental export
  std::string bucket = {};
  std::optional<std::string> prefix = {};
  std::string sse_algorithm = "AES256";
  std::optional<std::string> sse_key = {};
  std::string files_key = {};  ///< of manifest-files.json, from the root of the bucket
  std::uint64_t billed_bytes = 0;
  std::uint64_t items = 0;
  DataFormat format = DataFormat::dynamodb_json;
};

/// Returns one line, without its end.
std::string text_of(const Summary& summary);
/// Returns one line per file.
std::string text_of(const std::vector<ListedFile>& files);

/// What a reader needs of a summary.
struct ReadSummary {
  std::string table_name;
  std::uint64_t items = 0;  ///< or changes
  DataFormat format = DataFormat::dynamodb_json;
  bool is_incremental = false;
};

/// Reads a summary. Fails if it is damaged, or of an export in a format that is not known. The error message
/// follows the file's name.
Outcome<ReadSummary> read_summary(std::string_view text);

/// Reads manifest-files.json. The error message follows the file's name.
Outcome<std::vector<ListedFile>> read_files(std::string_view text);

/// Returns the key `[<prefix>/]AWSDynamoDB/<name>`. The prefix is kept as sent, and joined with one slash.
std::string key_below(const std::optional<std::string>& prefix, std::string_view name);

/// Where an export, or a bulk operation with its reports, writes its objects.
struct ExportFolder {
  objects::ObjectStore& store;
  std::string bucket;
  std::optional<std::string> prefix;  ///< of all keys
  std::string id;

  /// Returns the key of an object, from the root of the bucket.
  std::string key_of(std::string_view name) const;
  /// Returns the name of a data file, such as data/<letters>.json.gz. `number` counts from 0.
  std::string data_file_name(std::size_t number, std::string_view ending) const;

  objects::Result<void> put(std::string_view name, std::string_view text) const;
  /// Writes a manifest, and before it its digest.
  objects::Result<void> put_manifest(std::string_view name, std::string_view digest_name,
                                     std::string_view text) const;
  /// Compresses lines and writes them as a data file, which need not be in the folder. Returns its entry in
  /// the manifest, without the items.
  objects::Result<ListedFile> put_data_file(const std::string& key, std::string_view lines) const;
};

/// Returns the MD5 in base64, as in manifests.
std::string md5_text(std::string_view bytes);

}  // namespace dinette::dynamodb::item_files
