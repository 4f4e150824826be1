#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/objects/memory_store.h"

#include "dynamodb/backups/backups.h"

/// Exports to buckets in memory, and a reader of what they write, made from
/// docs/service/export-import.md section 1 alone.
namespace test {

inline const std::string music_arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Music";

/// The buckets of a server, among them `exports`.
struct Buckets {
  dinette::base::ManualClock clock;
  std::unique_ptr<dinette::objects::BucketStore> store = dinette::objects::make_memory_store(clock);

  Buckets();
  dinette::dynamodb::ServiceOptions options(dinette::dynamodb::ServiceOptions others = {}) const;
  /// All keys of a bucket, ascending.
  std::vector<std::string> keys(const std::string& bucket = "exports") const;
  std::string read(const std::string& key, const std::string& bucket = "exports") const;
};

/// A server with buckets, and a table with point-in-time recovery since the beginning. The clock stands at
/// start_of_test + 10'000.
struct Exporting : Buckets, DynamoDb {
  explicit Exporting(const Json& table = on_demand(), dinette::dynamodb::ServiceOptions others = {});

  /// The description in the answer of an export of `Music` to the bucket `exports`.
  Json begin(const Json& changes = Json::object());
  /// What DescribeExport says.
  Json description(const Json& of);
  /// The same, of an export that was begun now, when all jobs have run.
  Json exported(const Json& changes = Json::object());
};

/// The body of an ExportTableToPointInTime.
Json export_request(const Json& changes = Json::object());
/// The members of an incremental export.
Json incremental(double from, double to, std::string_view view = "");

/// The base64 of the MD5, and the lines of a text.
std::string md5_of(std::string_view bytes);
std::vector<std::string> lines_of(std::string_view text);

/// An export, read back.
struct ReadExport {
  Json summary;
  std::vector<Json> files;         ///< the lines of manifest-files.json
  std::vector<std::string> lines;  ///< of all data files
};

/// Reads an export by its manifests, and compares digests and counts.
ReadExport read_export(const Buckets& buckets, const Json& description);

/// The items of a full export, by the text of their key `pk`.
std::map<std::string, Json> items_of(const ReadExport& read);

}  // namespace test
