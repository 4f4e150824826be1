#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rocksdb/db.h>

#include "dinette/base/waiting.h"

#include "kv/durable/database.h"
#include "kv/durable/reads.h"
#include "kv/fixed_folder.h"
#include "support/temporary_folder.h"

// What reads find that may not wait for the disk, where what they look for is.
namespace dinette::test::durable_reads_test {

using namespace kv::durable;
using kv::ErrorKind;

namespace {

/// When RocksDB opens a database, it opens 16 of its files.
constexpr int files = 60;

std::string key_of(int number) {
  return "key " + std::to_string(number);
}
std::string value_of(int number) {
  return "value " + std::to_string(number);
}

/// A database that was opened again, of many files with an entry each. Most of them are not open.
struct ManyFiles {
  ::test::TemporaryFolder folder;
  std::shared_ptr<const Database> database = open();

  ManyFiles() {
    REQUIRE(database->db().SetOptions(database->entries(), {{"disable_auto_compactions", "true"}}).ok());
    for (int i = 0; i < files; ++i) {
      put(i);
      REQUIRE(database->db().Flush({}, database->entries()).ok());
    }
    database.reset();
    database = open();
  }

  std::shared_ptr<const Database> open() const {
    return Database::open(std::make_shared<FixedFolder>(folder.path() / "engine"),
                          make_database_settings(1 << 20))
        .value();
  }
  void put(int number) const {
    REQUIRE(database->db().Put({}, database->entries(), key_of(number), value_of(number)).ok());
  }
};

/// It is not known which files are open, because RocksDB merges them meanwhile.
void check_blocked_or(const std::string& expected, const kv::Result<std::optional<kv::Value>>& found) {
  if (!found) {
    CHECK(found.error().kind == ErrorKind::would_block);
    return;
  }
  REQUIRE(*found);
  CHECK((*found)->view() == expected);
}

kv::Result<std::optional<kv::Value>> the_one_of(const kv::Result<kv::Values>& values) {
  if (!values) return base::Failure{values.error()};
  return values->front();
}

}  // namespace

TEST_CASE("a read that may not wait does not take a value in a closed file for an empty one") {
  const ManyFiles many;
  const auto snapshot = make_snapshot(many.database);
  const base::WaitingScope scope(false);
  for (int i = 0; i < files; ++i) {
    const std::string key = key_of(i);
    const std::vector<std::string_view> keys{key};
    check_blocked_or(value_of(i), read(*many.database, key));
    check_blocked_or(value_of(i), the_one_of(read_many(*many.database, keys)));
    check_blocked_or(value_of(i), snapshot->get(key));
    check_blocked_or(value_of(i), the_one_of(snapshot->get_many(keys)));
    const auto cursor = make_cursor(*many.database, {key, {}}, many.database);
    const auto first = cursor->first();
    if (!first) {
      CHECK(first.error().kind == ErrorKind::would_block);
    } else {
      REQUIRE(*first);
      CHECK(cursor->key() == key);
      CHECK(cursor->value() == value_of(i));
    }
  }
}

TEST_CASE("a read that may wait finds every value, and what is absent") {
  const ManyFiles many;
  for (int i = 0; i < files; ++i) CHECK((*read(*many.database, key_of(i)))->view() == value_of(i));
  const std::vector<std::string> names{key_of(7), "absent", key_of(files - 1)};
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto values = read_many(*many.database, views).value();
  CHECK(values[0]->view() == value_of(7));
  CHECK_FALSE(values[1]);
  CHECK(values[2]->view() == value_of(files - 1));
}

TEST_CASE("a read that may not wait finds what is in memory") {
  const ManyFiles many;
  many.put(files);
  const base::WaitingScope scope(false);
  CHECK((*read(*many.database, key_of(files)))->view() == value_of(files));
  const std::string key = key_of(files);
  const std::vector<std::string_view> keys{key, key};
  CHECK(read_many(*many.database, keys).value()[1]->view() == value_of(files));
}

}  // namespace dinette::test::durable_reads_test
