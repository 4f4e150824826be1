#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/exports/exports.h"

/// Bulk operations on a table `Music` with the key `pk` (S), from objects in memory. The clock is stopped.
namespace test {

/// A server with that table, and the buckets `source` and `reports`.
struct Bulk : Buckets, DynamoDb {
  explicit Bulk(dinette::dynamodb::ServiceOptions others = {}, const Json& table = on_demand(),
                std::shared_ptr<dinette::kv::Engine> engine = nullptr);

  void source(const std::string& key, std::string_view bytes);
  /// Begins an operation with these members in place of the usual ones. Returns its description.
  Json begin(const Json& members = Json::object());
  /// What DescribeBulkOperation says.
  Json description(const Json& of);
  /// The same, when all jobs have run.
  Json ended(const Json& begun);
  /// Both.
  Json done(const Json& members = Json::object()) { return ended(begin(members)); }
  /// The numbers `n` of the table's items, by pk.
  Json numbers();
};

/// The body of a StartBulkPutItems from the bucket `source`, both reports to the bucket `reports`.
Json bulk_request(const Json& members = Json::object());

/// One line with an item whose attribute `n` is a number. `more` are members next to the item.
std::string bulk_line(std::string_view pk, int n, const Json& more = Json::object());
/// The lines of items k<first> to before k<last>, each with its number.
std::string bulk_lines(int first, int last);
/// The condition that there is no item.
Json if_new();

/// The lines of a report, of one type or of both, as its manifests list them, and the summary.
struct BulkReports {
  Json summary;
  std::vector<Json> errors;
  std::vector<Json> conditions;
};

/// Reads the reports of an operation that has ended, and compares their digests and counts.
BulkReports read_reports(const Buckets& buckets, const Json& description, const std::string& prefix = "");

void check_counts(const Json& operation, int processed, int failed);

}  // namespace test
