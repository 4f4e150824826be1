#include "kv/durable/log_scan.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rocksdb/db.h>

#include "kv/durable/database.h"
#include "kv/durable/examine.h"
#include "kv/durable/files.h"
#include "kv/fixed_folder.h"
#include "support/temporary_folder.h"

namespace dinette::test::log_scan_test {

using namespace kv::durable;

namespace {

/// A log as RocksDB writes it, of commits of all sizes.
struct Log {
  std::string bytes;
  std::vector<std::size_t> ends = {0};  ///< of the commits
  std::vector<Sequence> next = {0};     ///< after each of them

  explicit Log(const std::vector<std::size_t>& sizes = {10, 1, 32'000, 700, 33'000, 100'000, 5, 32'730, 20}) {
    const ::test::TemporaryFolder folder;
    const auto database = Database::open(std::make_shared<FixedFolder>(folder.path() / "engine"),
                                         make_database_settings(64 << 20))
                              .value();
    const auto path = folder.path() / "engine" / log_name(logs_in(folder.path() / "engine").back());
    std::minstd_rand random(1);
    for (const std::size_t size : sizes) {
      rocksdb::WriteBatch batch;
      std::string value(size, '\0');
      for (char& byte : value) byte = static_cast<char>(random());
      REQUIRE(batch.Put(database->entries(), "key", value).ok());
      REQUIRE(batch.Put(database->notes(), "key", "").ok());
      REQUIRE(database->db().Write({}, &batch).ok());
      ends.push_back(std::filesystem::file_size(path));
      next.push_back(database->db().GetLatestSequenceNumber() + 1);
    }
    bytes = read_whole(path);
  }

  std::size_t commits_before(std::size_t at) const {
    std::size_t count = 0;
    while (count + 1 < ends.size() && ends[count + 1] <= at) ++count;
    return count;
  }
};

}  // namespace

TEST_CASE("a scan of a log finds its commits") {
  const Log log;
  const LogScan scan = scan_log(log.bytes, true);
  CHECK(scan.is_whole());
  CHECK_FALSE(scan.goes_on);
  CHECK(scan.next - *scan.first == 2 * (log.ends.size() - 1));
  CHECK(scan.next == log.next.back());
  CHECK(scan_log("", true).is_whole());
  CHECK_FALSE(scan_log("", true).first);
}

TEST_CASE("a scan of a log finds commits that begin anywhere before the end of a block") {
  for (std::size_t left = 0; left < 40; ++left) {
    // The second commit begins so many bytes before the end of the first block.
    const Log first({32'600 - left, 100});
    const Log log({32'600 - left + 32'768 - first.ends[1] - left, 100});
    REQUIRE(log.ends[1] == 32'768 - left);
    const LogScan scan = scan_log(log.bytes, true);
    REQUIRE(scan.is_whole());
    REQUIRE(scan.next == log.next.back());
  }
}

TEST_CASE("a scan of a log that is cut ends after the last whole commit") {
  const Log log;
  for (std::size_t size = 0; size <= log.bytes.size(); size += size < 100 ? 1 : 977) {
    const LogScan scan = scan_log(std::string_view(log.bytes).substr(0, size), true);
    const std::size_t commits = log.commits_before(size);
    REQUIRE(scan.whole <= size);
    REQUIRE(scan.whole >= log.ends[commits]);
    if (commits > 0) REQUIRE(scan.next == log.next[commits]);
    REQUIRE_FALSE(scan.goes_on);
  }
}

TEST_CASE("a scan of a log that is damaged ends there, and finds out that commits follow") {
  const Log log;
  for (std::size_t at = 0; at < log.bytes.size(); at += 733) {
    std::string bytes = log.bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    const LogScan scan = scan_log(bytes, true);
    const std::size_t commits = log.commits_before(at);
    REQUIRE_FALSE(scan.is_whole());
    REQUIRE(scan.whole >= log.ends[commits]);
    REQUIRE(scan.whole <= at);
    REQUIRE(scan.goes_on == (at < log.ends[log.ends.size() - 2]));
  }
}

TEST_CASE("a scan of a log without a commit in the middle ends at the gap") {
  const Log log;
  // The first two are in one block, so that the third may begin where the second did.
  std::string bytes =
      log.bytes.substr(0, log.ends[1]) + log.bytes.substr(log.ends[2], log.ends[3] - log.ends[2]);
  const LogScan scan = scan_log(bytes, true);
  CHECK(scan.whole == log.ends[1]);
  CHECK(scan.goes_on);
}

TEST_CASE("a scan of any bytes ends") {
  std::minstd_rand random(2);
  std::string bytes(100'000, '\0');
  CHECK_FALSE(scan_log(bytes, true).goes_on);
  for (char& byte : bytes) byte = static_cast<char>(random());
  CHECK_FALSE(scan_log(bytes, true).goes_on);
  CHECK(scan_log(bytes, false).whole == 0);
}

}  // namespace dinette::test::log_scan_test
