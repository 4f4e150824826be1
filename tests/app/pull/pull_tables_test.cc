#include "app/pull/pull_tables.h"

#include <algorithm>
#include <concepts>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "app/transfer/moving_tables.h"

namespace dinette::app::pull_tables_test {
namespace {

namespace fs = std::filesystem;
using test::Json;
using test::TestOperations;

// A pull cannot ask its source to write: there is no such operation to name.
template <class T>
concept CanWrite = requires {
  T::put_item;
}
|| requires {
  T::batch_write_item;
}
|| requires {
  T::create_table;
}
|| requires {
  T::delete_table;
}
|| requires {
  T::update_item;
}
|| requires {
  T::update_table;
}
|| requires {
  T::transact_write_items;
}
|| requires {
  T::execute_statement;
};
static_assert(!CanWrite<ReadingOperation>);
static_assert(
    !std::invocable<decltype(&TableSource::read), const TableSource&, std::string_view, std::string_view>);

const std::set<std::string> reading{"DescribeTable", "DescribeTimeToLive", "ListTables", "ListTagsOfResource",
                                    "Scan"};

/// The process is killed: nothing that comes after it is done.
struct Killed {};

/// Two servers, and pulls from one to the other.
struct Pulls {
  test::DynamoDb there;
  test::DynamoDb here;
  TestOperations source{there};
  TestOperations destination{here};
  test::TemporaryFolder temporary;
  fs::path folder = temporary.path() / "d";
  std::vector<std::chrono::milliseconds> waits;
  std::function<bool()> interrupted = [] { return false; };
  std::function<void()> renew = [] {};
  std::optional<OutputFormat> format;
  std::string rules;
  PullWish wish{.tables = {"Music"}};

  base::Result<std::vector<PulledItems>, std::string> pull() {
    const Patience patience{[this] { return interrupted(); },
                            [this](std::chrono::milliseconds time) { waits.push_back(time); }};
    const TableSource table_source(source, patience, renew);
    const Transfer transfer{destination, clock_, ids_, progress_, patience};
    auto file = rules.empty() ? MaskFile{} : read_mask_file(rules).value();
    const Masking masking(std::move(file.rules), "key");
    return pull_tables(table_source, transfer, masking, wish, [&](const PulledTable& table) {
      return format ? files_destination(transfer, table, folder, *format)
                    : table_destination(transfer, table, folder);
    });
  }
  std::uint64_t pulled() {
    const auto tables = pull();
    if (!tables) FAIL(tables.error());
    return tables->front().items;
  }
  std::string failure() {
    const auto tables = pull();
    return tables ? "" : tables.error();
  }

  /// A table of `items` items, of which ten are on a page.
  void fill(int items) {
    there.create_table("Music", "S", "N");
    for (int i = 0; i < items; ++i)
      there.put("Music", {{"pk", {{"S", "p" + std::to_string(i % 7)}}},
                          {"sk", {{"N", std::to_string(i)}}},
                          {"filler", {{"S", std::string(100'000, 'x')}}}});
  }

  static std::set<std::string> items(test::DynamoDb& db) {
    std::set<std::string> all;
    Json request = {{"TableName", "Music"}};
    for (;;) {
      const Json page = db.ok("Scan", request);
      for (const Json& item : page["Items"]) CHECK(all.insert(item.dump()).second);
      if (!page.contains("LastEvaluatedKey")) return all;
      request["ExclusiveStartKey"] = page["LastEvaluatedKey"];
    }
  }

  std::vector<std::string> lines(const fs::path& file) const {
    std::ifstream stream(folder / "Music" / file, std::ios::binary);
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }

 private:
  base::SystemClock clock_;
  base::SystemIds ids_;
  TransferProgress progress_{TransferProgress::Shown::log};
};

TEST_CASE("a table is pulled with everything that describes it, and its source is only read") {
  Pulls p;
  p.fill(25);
  p.there.ok(
      "UpdateTimeToLive",
      {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"AttributeName", "end"}, {"Enabled", true}}}});
  p.there.ok("UpdateTable",
             {{"TableName", "Music"},
              {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}});
  CHECK(p.pulled() == 25);
  CHECK(Pulls::items(p.here) == Pulls::items(p.there));
  const Json made = p.here.ok("DescribeTable", {{"TableName", "Music"}})["Table"];
  CHECK(made["StreamSpecification"]["StreamViewType"] == "KEYS_ONLY");
  CHECK(p.here.ok("DescribeTimeToLive", {{"TableName", "Music"}})["TimeToLiveDescription"]["AttributeName"] ==
        "end");
  CHECK(std::ranges::count(p.source.called, "Scan") == 3);
  for (const std::string& operation : p.source.called) CHECK(reading.contains(operation));
  // Nothing is left of the pull itself.
  CHECK_FALSE(fs::exists(p.folder));
}

/// Pulls again and again, killed at each call of `operations` in turn, before or after its effect.
void kill_everywhere(Pulls& p, TestOperations& operations, test::DynamoDb& db, bool after) {
  int at = 1;
  for (bool killed = true; killed; ++at) {
    int calls = 0;
    killed = false;
    operations.instead = [&](std::string_view operation,
                             std::string_view request) -> std::optional<TestOperations::Reply> {
      if (++calls != at) return std::nullopt;
      killed = true;
      if (after) (void)db.call(operation, request);
      throw Killed();
    };
    p.wish.existing = Existing::resume;
    try {
      (void)p.pull();
    } catch (const Killed&) {
    }
  }
  operations.instead = nullptr;
  CHECK(at > 5);
}

TEST_CASE("a pull that is killed at any request and continued loses and repeats nothing") {
  const bool after = GENERATE(false, true);
  const bool at_source = GENERATE(false, true);
  Pulls p;
  p.fill(45);
  p.there.ok("UpdateTable",
             {{"TableName", "Music"},
              {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}});
  INFO("after the effect: " << after << ", at the source: " << at_source);
  // Each round is killed one call later than the one before, so the pull comes ever further.
  kill_everywhere(p, at_source ? p.source : p.destination, at_source ? p.there : p.here, after);
  CHECK(Pulls::items(p.here) == Pulls::items(p.there));
  CHECK_FALSE(fs::exists(p.folder));
}

TEST_CASE("the number of items is that of the table, however often the pull was interrupted") {
  Pulls p;
  p.fill(45);
  int scans = 0;
  p.source.instead = [&](std::string_view operation,
                         std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "Scan" || ++scans % 2 == 1) return std::nullopt;
    return OperationReply{400, R"({"__type":"x#ValidationException","message":"no more"})"};
  };
  CHECK(p.failure() ==
        "the table Music is not pulled: Scan failed: ValidationException: no more; 11 items of it are there: "
        "continue with --continue");
  p.wish.existing = Existing::resume;
  for (int i = 0; i < 3; ++i) CHECK_FALSE(p.failure().empty());
  CHECK(p.pulled() == 45);
  CHECK(Pulls::items(p.here).size() == 45);
}

TEST_CASE("a pull is continued only where, and as, it was begun") {
  Pulls p;
  p.fill(25);
  int scans = 0;
  p.source.instead = [&](std::string_view operation,
                         std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "Scan" || ++scans != 2) return std::nullopt;
    return OperationReply{400, R"({"__type":"x#ValidationException","message":"no"})"};
  };
  CHECK_FALSE(p.failure().empty());
  CHECK(p.failure().find("a pull of it was interrupted: continue it with --continue") != std::string::npos);
  p.wish.existing = Existing::resume;
  p.wish.identity = "--from elsewhere";
  CHECK(p.failure().find("it was begun with other options") != std::string::npos);
  p.wish.identity = "";
  p.here.ok("DeleteTable", {{"TableName", "Music"}});
  CHECK(p.failure().find("is not there any more") != std::string::npos);
  p.here.create_table("Music", "S", "N");
  CHECK(p.failure().find("is another one than the pull has begun with") != std::string::npos);
  p.wish.existing = Existing::replace;
  CHECK(p.pulled() == 25);
}

TEST_CASE("a table that exists is refused, kept or replaced") {
  Pulls p;
  p.fill(3);
  p.here.create_table("Music", "S", "N");
  p.here.put("Music", {{"pk", {{"S", "own"}}}, {"sk", {{"N", "1"}}}});
  CHECK(p.failure() ==
        "the table Music is not pulled: the destination has such a table: keep it with --skip-existing, or "
        "delete it "
        "with --replace");
  p.wish.existing = GENERATE(Existing::skip, Existing::resume);
  CHECK(p.pull()->front().skipped);
  CHECK(Pulls::items(p.here).size() == 1);
  p.wish.existing = Existing::replace;
  CHECK(p.pulled() == 3);
  CHECK(Pulls::items(p.here) == Pulls::items(p.there));
}

TEST_CASE("limits and filters choose items, and pages do not cost more than needed") {
  Pulls p;
  p.fill(25);
  p.wish.scan.limit = 12;
  CHECK(p.pulled() == 12);
  CHECK(Pulls::items(p.here).size() == 12);
  p.wish.existing = Existing::replace;
  p.wish.scan.where = read_filter("sk < 5").value();
  CHECK(p.pulled() == 5);
  p.wish.scan.limit = 3;
  CHECK(p.pulled() == 3);
}

TEST_CASE("a sample is spread over the table, and reads about as much as it takes") {
  Pulls p;
  p.there.create_table("Music", "S", "N");
  for (int i = 0; i < 3000; ++i)
    p.there.put("Music", {{"pk", {{"S", "p" + std::to_string(i)}}}, {"sk", {{"N", std::to_string(i)}}}});
  std::uint64_t scanned = 0;
  std::set<int> segments;
  p.source.instead = [&](std::string_view operation,
                         std::string_view request) -> std::optional<TestOperations::Reply> {
    if (operation != "Scan") return std::nullopt;
    const auto reply = p.there.call(operation, request);
    scanned += reply.json()["ScannedCount"].get<std::uint64_t>();
    segments.insert(Json::parse(request)["Segment"].get<int>());
    return OperationReply{reply.status, reply.body};
  };
  p.wish.scan.sample = 200;
  CHECK(p.pulled() == 200);
  CHECK(scanned <= 210);
  CHECK(segments.size() == 100);
  // All of a smaller table.
  p.wish.existing = Existing::replace;
  p.wish.scan.sample = 5000;
  CHECK(p.pulled() == 3000);
}

TEST_CASE("a rate makes pages small, and waits for what they cost") {
  Pulls p;
  p.there.create_table("Music", "S", "N");
  for (int i = 0; i < 400; ++i)
    p.there.put(
        "Music",
        {{"pk", {{"S", "p"}}}, {"sk", {{"N", std::to_string(i)}}}, {"f", {{"S", std::string(4000, 'x')}}}});
  p.wish.scan.rate = 100;
  CHECK(p.pulled() == 400);
  CHECK(std::ranges::count(p.source.called, "Scan") >= 3);
  std::chrono::milliseconds waited(0);
  for (const auto wait : p.waits) waited += wait;
  // 400 items cost 200 units, of which the last page needs no wait. The test itself takes time, which counts.
  CHECK(waited.count() > 0);
  CHECK(waited.count() <= 2100);
  for (const auto wait : p.waits) CHECK(wait.count() <= 200);
}

TEST_CASE("a source that refuses for minutes is asked again, and expired credentials are renewed once") {
  Pulls p;
  p.fill(3);
  int refused = 0;
  p.source.instead = [&](std::string_view operation,
                         std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "Scan" || ++refused > 100) return std::nullopt;
    return OperationReply{400, R"({"__type":"x#ProvisionedThroughputExceededException","message":"slow"})"};
  };
  CHECK(p.pulled() == 3);
  CHECK(p.waits.size() >= 90);
  p.wish.existing = Existing::replace;
  int renewed = 0;
  p.renew = [&] { ++renewed; };
  p.source.instead = [&](std::string_view, std::string_view) -> std::optional<TestOperations::Reply> {
    if (renewed > 0) return std::nullopt;
    return OperationReply{400, R"({"__type":"x#ExpiredTokenException","message":"old"})"};
  };
  CHECK(p.pulled() == 3);
  CHECK(renewed == 1);
  p.source.instead = [&](std::string_view, std::string_view) -> std::optional<TestOperations::Reply> {
    return OperationReply{400, R"({"__type":"x#ExpiredTokenException","message":"old"})"};
  };
  CHECK(p.failure() == "the table Music cannot be read: DescribeTable failed: ExpiredTokenException: old");
  CHECK(renewed == 2);
}

TEST_CASE("tags and the time to live are left out if they may not be read") {
  Pulls p;
  p.fill(1);
  p.source.instead = [&](std::string_view operation,
                         std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "ListTagsOfResource" && operation != "DescribeTimeToLive") return std::nullopt;
    return OperationReply{400, R"({"__type":"x#AccessDeniedException","message":"no"})"};
  };
  CHECK(p.pulled() == 1);
}

TEST_CASE("answers that are not the service's end the pull, and never the program") {
  Pulls p;
  p.fill(1);
  const std::string answer =
      GENERATE("", "{", "[]", "null", R"({"Table":{}})", R"({"Table":{"KeySchema":1}})", R"({"Items":[1]})",
               R"({"Items":{},"LastEvaluatedKey":{}})");
  const std::string where = GENERATE("DescribeTable", "Scan", "DescribeTimeToLive", "ListTagsOfResource");
  INFO(where << " " << answer);
  p.source.instead = [&](std::string_view operation,
                         std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != where) return std::nullopt;
    return OperationReply{200, answer};
  };
  (void)p.pull();
}

TEST_CASE("masked keys are still keys: as many items, in two tables that can be joined") {
  Pulls p;
  p.there.create_table("Music", "S", "N");
  p.there.create_table("Other", "S", "N");
  for (int i = 0; i < 300; ++i) {
    const Json key = {{"pk", {{"S", "USER#" + std::to_string(i) + "@x"}}},
                      {"sk", {{"N", std::to_string(i)}}}};
    p.there.put("Music", key);
    p.there.put("Other", key);
  }
  p.wish.tables = {"Music", "Other"};
  p.rules =
      R"({"rules": [{"attribute": "pk", "kind": "email", "after": "#"}, {"attribute": "sk", "kind": "digits"}]})";
  REQUIRE(p.pull().ok());
  const auto here = Pulls::items(p.here);
  CHECK(here.size() == 300);
  CHECK(p.here.ok("Scan", {{"TableName", "Other"}})["Items"].size() == 300);
  for (const std::string& item : here) {
    const Json found = p.here.ok("GetItem", {{"TableName", "Other"}, {"Key", Json::parse(item)}});
    CHECK(found.contains("Item"));
    CHECK(item.find("USER#") != std::string::npos);
    CHECK(item.find("@x") == std::string::npos);
  }
  p.wish.existing = Existing::replace;
  p.rules = R"({"rules": [{"attribute": "pk", "kind": "drop"}]})";
  CHECK(p.failure().find("is a key of the table Music: items would be lost") != std::string::npos);
}

TEST_CASE("files have every item once, in each format, also after kills") {
  Pulls p;
  p.fill(25);
  p.format = GENERATE(OutputFormat::json, OutputFormat::csv, OutputFormat::dynamodb_json);
  kill_everywhere(p, p.source, p.there, true);
  CHECK(fs::exists(p.folder / "Music/table.json"));
  CHECK(std::distance(fs::directory_iterator(p.folder), {}) == 1);
  if (*p.format == OutputFormat::json) CHECK(p.lines("items.jsonl").size() == 25);
  if (*p.format == OutputFormat::csv) CHECK(p.lines("items.csv").size() == 26);
  if (*p.format != OutputFormat::dynamodb_json) return;
  test::MovingTables m;
  m.folder = p.folder;
  REQUIRE(m.imported().value().front().items == 25);
}

TEST_CASE("items that were written but not counted are written again, and not twice") {
  Pulls p;
  p.fill(25);
  p.format = OutputFormat::json;
  int scans = 0;
  p.source.instead = [&](std::string_view operation,
                         std::string_view) -> std::optional<TestOperations::Reply> {
    if (operation != "Scan" || ++scans != 2) return std::nullopt;
    return OperationReply{400, R"({"__type":"x#ValidationException","message":"no"})"};
  };
  CHECK_FALSE(p.failure().empty());
  const fs::path items = p.folder / "Music~pulling/pulled-items";
  std::ofstream(items, std::ios::app) << R"({"pk":{"S":"counted never"},"sk":{"N":"1"}})"
                                      << "\n{\"half";
  p.wish.existing = Existing::resume;
  CHECK(p.pulled() == 25);
  CHECK(p.lines("items.jsonl").size() == 25);
  // Fewer than were counted cannot be completed.
  fs::remove_all(p.folder);
  p.wish.existing = Existing::refuse;
  scans = 0;
  CHECK_FALSE(p.failure().empty());
  fs::resize_file(items, 10);
  p.wish.existing = Existing::resume;
  CHECK(p.failure().find("lacks items that were written: begin again with --replace") != std::string::npos);
}

TEST_CASE("plain JSON and CSV have values without their types") {
  Pulls p;
  p.there.create_table("Music", "S", "N");
  p.there.put("Music", Json::parse(R"({"pk": {"S": "a \"b\", é"}, "sk": {"N": "12345678901234567890123.5"},
      "b": {"B": "AP8="}, "yes": {"BOOL": true}, "no": {"NULL": true}, "e": {"S": ""}, "s": {"NS": ["2", "1.5"]},
      "m": {"M": {"l": {"L": [{"N": "1"}, {"S": "x"}]}}}})"));
  p.format = OutputFormat::json;
  CHECK(p.pulled() == 1);
  const Json line = Json::parse(p.lines("items.jsonl").front());
  CHECK(p.lines("items.jsonl").front().find(R"("sk":12345678901234567890123.5)") != std::string::npos);
  CHECK(line["pk"] == "a \"b\", é");
  CHECK(line["m"] == Json::parse(R"({"l": [1, "x"]})"));
  CHECK(line["no"].is_null());
  CHECK(line["s"].size() == 2);
  p.format = OutputFormat::csv;
  p.wish.existing = Existing::replace;
  CHECK(p.pulled() == 1);
  const auto rows = p.lines("items.csv");
  CHECK(rows.at(0).starts_with("pk,sk,"));
  CHECK(rows.at(1).starts_with("\"a \"\"b\"\", é\",12345678901234567890123.5,"));
  CHECK(rows.at(1).find(R"("{""l"":[1,""x""]}")") != std::string::npos);
  CHECK(rows.at(1).find(",\"\",") != std::string::npos);
}

TEST_CASE("a progress file that is damaged is not continued") {
  const char* const no_count =
      R"({"version":1,"tableId":"i","wish":"w","mark":"m","items":1e60,"segments":[],"copied":true})";
  for (const char* const text :
       {"", "{", "[]", R"({"version":2})", R"({"version":1,"segments":[{}]})", no_count}) {
    INFO(text);
    CHECK_FALSE(read_progress(text).ok());
  }
  const PullProgress progress{.table_id = "i",
                              .wish = "w",
                              .mark = "m",
                              .items = 7,
                              .segments = {{R"({"pk":{"S":"é"}})", 3, true}},
                              .copied = true};
  const auto again = read_progress(text_of(progress));
  REQUIRE(again.ok());
  CHECK(text_of(*again) == text_of(progress));
  CHECK(again->segments.front().start == R"({"pk":{"S":"é"}})");
}

}  // namespace
}  // namespace dinette::app::pull_tables_test
