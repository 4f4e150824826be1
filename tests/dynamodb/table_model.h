#pragma once

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/dynamodb.h"

/// A table and its indexes computed the slow way: everything from the items, every time, as docs/service says
/// it.
namespace test {

using Random = std::mt19937_64;

/// Returns true if one value of a key (S, N or B) sorts before another of its type.
bool sorts_before(const Json& a, const Json& b);

/// Of an item whose numbers and binaries are among those of `random_value`.
std::size_t size_in_bytes(const Json& item);

/// What is walked along: the table, or an index.
struct Walk {
  std::string index;  ///< empty for the table
  bool local = false;
  std::vector<std::string> hash;
  std::vector<std::string> range;
  std::string projection = "ALL";
  std::vector<std::string> included;
};

/// What a walk meets: an entry, and the item that it is made of.
struct Row {
  Json entry;
  Json item;
};

class TableModel {
 public:
  /// `create_table`: the request that made the table.
  explicit TableModel(const Json& create_table);

  const Walk& table() const { return walks_.front(); }
  /// The table and its indexes.
  const std::vector<Walk>& walks() const { return walks_; }
  const std::map<std::string, Json>& items() const { return items_; }

  /// The attributes of the table's key.
  Json key_of(const Json& item) const;
  /// An index that is made later; as in CreateTable.
  void add_index(const Json& definition, bool local = false);

  void put(const Json& item) { items_[key_of(item).dump()] = item; }
  void erase(const Json& key) { items_.erase(key.dump()); }
  void update(const Json& key, const Json& set, const std::vector<std::string>& removed);

  /// Every row, in no order.
  std::vector<Row> rows(const Walk& walk) const;
  /// The rows with the hash attributes of `like`, ascending; rows with equal keys in no order.
  std::vector<Row> partition(const Walk& walk, const Json& like) const;

 private:
  std::vector<Walk> walks_;
  std::map<std::string, Json> items_;
};

/// The table's key identifies rows; equal lists hold the same entries, in any order.
Json sorted(std::vector<Json> entries);

/// A table with keys and indexes of random attributes: local indexes, if it has a sort key, and global ones,
/// of every projection, of one and several attributes; `pk`, `sk` and `a` to `d` are their keys.
Json random_table(Random& random);

/// One more global index of such a table, on attributes that it defines.
Json random_index(Random& random, const std::string& name, const Json& create_table);

/// An item of such a table. Values are few, so that keys are often equal; attributes next to the key are
/// there or not.
Json random_item(Random& random, const Json& create_table);

/// A value of that type.
Json random_value(Random& random, std::string_view type);

}  // namespace test
