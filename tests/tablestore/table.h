#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/fixture.h"
#include "tablestore/model/row.h"

namespace dinette::tablestore::test {

/// Returns the bytes of a row as clients send it.
std::string row_bytes(const PrimaryKey& key, const std::vector<CellChange>& cells = {}, bool deletes = false);
/// The key `gid`, `uid`. The text must outlive it.
PrimaryKey key(std::int64_t gid, std::string_view uid);
/// The key that is less than all, or greater.
PrimaryKey least();
PrimaryKey most();

/// Returns rows of a reply as text: "1,a c=5 d=x; 2,b". Versions are left out.
std::string text_of_rows(std::string_view bytes);

// Serialized filters.

std::string column_filter(api::ComparatorType comparator, std::string_view column, const Value& value,
                          bool fails_if_missing = false, bool latest_only = true);
std::string composite_filter(api::LogicalOperator combinator, const std::vector<std::string>& filters);
std::string pagination_filter(std::int32_t offset, std::int32_t limit);

/// What requests on rows may have, in addition to a key.
struct More {
  api::RowExistenceExpectation expectation = api::RowExistenceExpectation::ignore;
  std::string filter = {};  ///< also as a condition
  std::vector<std::string_view> columns = {};
  std::optional<std::int32_t> max_versions = 1;
  std::optional<std::int32_t> limit = {};
  std::string transaction = {};
};

/// A table of a server, with the key `gid` (Integer), `uid` (String). What cannot be done is returned as
/// "code: message".
class Table {
 public:
  explicit Table(Server& server, std::string name = "T") : server_(server), name_(std::move(name)) {
    server_.create(name_);
  }

  /// Returns "200" for a success.
  std::string put(const PrimaryKey& key, const std::vector<CellChange>& cells, const More& more = {});
  std::string update(const PrimaryKey& key, const std::vector<CellChange>& cells, const More& more = {});
  std::string erase(const PrimaryKey& key, const More& more = {});

  /// Returns the row as text; empty if there is none.
  std::string get(const PrimaryKey& key, const More& more = {});
  /// Returns a page as text, and after it, if the range goes on, " > " and the key at which.
  std::string range(const PrimaryKey& from, const PrimaryKey& to, const More& more = {},
                    api::Direction direction = api::Direction::forward);

  /// Returns the id of a transaction on the partition.
  std::string start(std::int64_t gid);
  std::string commit(std::string_view transaction);
  std::string abort(std::string_view transaction);

  Server& server() { return server_; }
  const std::string& name() const { return name_; }

 private:
  Server& server_;
  const std::string name_;
};

}  // namespace dinette::tablestore::test
