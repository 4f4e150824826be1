#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dinette/objects/memory_store.h"

#include "support/tables.h"

/// Imports from objects in memory. The clock stands at 1791633600 unless a case moves it.
namespace test {

/// A service, and the bucket `source` for it to read from.
struct Importer {
  explicit Importer(dinette::dynamodb::ServiceOptions options = {},
                    std::shared_ptr<dinette::kv::Engine> engine = nullptr);

  void put(const std::string& key, std::string_view bytes);
  /// Begins an import with these members in place of the usual ones. Returns its description.
  Json begin(const Json& members = Json::object());
  /// Does what is to be done behind the answers. Returns the description of the import after that.
  Json described(const Json& begun);
  /// Both.
  Json imported(const Json& members = Json::object()) { return described(begin(members)); }
  /// The numbers of the table's items, by pk.
  Json items(std::string_view table = "New");

  dinette::base::SystemClock clock;
  std::unique_ptr<dinette::objects::BucketStore> objects = dinette::objects::make_memory_store(clock);
  DynamoDb db;
};

/// The body of an ImportTable of DynamoDB JSON from the bucket `source` to the table `New`, on demand, with
/// the key `pk`.
Json import_request();

/// One line with an item whose attribute `n` is a number.
std::string line(std::string_view pk, int n);

}  // namespace test
