#include "dinette/observe/report.h"

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/observe/heavy_hitters.h"

namespace dinette::observe::report_test {
namespace {

using namespace std::chrono_literals;

constexpr auto start = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + 8h;

struct Reported {
  base::ManualClock clock{start};
  Reports reports{clock};

  static RequestDetails notes(const std::string& table, double read_units, double write_units) {
    RequestDetails details;
    details.world = "default";
    details.table(table).read_units = read_units;
    details.table(table).write_units = write_units;
    return details;
  }
  void touch(const std::string& partition, const std::string& item, std::uint64_t bytes) {
    RequestDetails one = notes("Music", 1, 0);
    one.touched.push_back({"Music", partition, item, bytes});
    reports.add("GetItem", "", one);
  }
  Report report() const { return reports.of("default"); }
};

}  // namespace

TEST_CASE("names that occur often are found among many that do not") {
  HeavyHitters hitters(10);
  for (int i = 0; i < 1000; ++i) {
    hitters.add("rare" + std::to_string(i));
    if (i % 2 == 0) hitters.add("often");
    if (i % 4 == 0) hitters.add("at times");
  }
  const auto top = hitters.top(2);
  REQUIRE(top.size() == 2);
  CHECK(top[0].name == "often");
  CHECK(top[0].count >= 500);
  CHECK(top[0].count - top[0].at_most_over <= 500);
  CHECK(top[1].name == "at times");
}

TEST_CASE("counts are exact while there are few names") {
  HeavyHitters hitters(2);
  for (const char* name : {"a", "b", "b"}) hitters.add(name);
  const auto top = hitters.top(10);
  REQUIRE(top.size() == 2);
  CHECK((top[0].name == "b" && top[0].count == 2 && top[0].at_most_over == 0));
  CHECK((top[1].name == "a" && top[1].count == 1 && top[1].at_most_over == 0));
}

TEST_CASE("a new name takes over the count of the rarest") {
  HeavyHitters hitters(2);
  for (const char* name : {"a", "a", "a", "b", "b", "c"}) hitters.add(name);
  const auto top = hitters.top(2);
  REQUIRE(top.size() == 2);
  CHECK((top[0].count == 3 && top[1].count == 3));
  const auto& c = top[0].name == "c" ? top[0] : top[1];
  CHECK((c.name == "c" && c.at_most_over == 2));
}

TEST_CASE("requests are summed up by table and operation") {
  Reported r;
  r.reports.add("GetItem", "", Reported::notes("Music", 0.5, 0));
  r.reports.add("GetItem", "ValidationException", Reported::notes("Music", 0, 0));
  r.reports.add("PutItem", "", Reported::notes("Music", 0, 2));
  RequestDetails scan = Reported::notes("Films", 1, 0);
  scan.table("Music");
  scan.add_counts(10, 4);
  scan.scans = true;
  r.reports.add("Scan", "", scan);
  const Report report = r.report();
  REQUIRE(report.lines.size() == 4);
  const ReportLine& films = report.lines[0];
  CHECK((films.table == "Films" && films.operation == "Scan" && films.requests == 1));
  CHECK((films.scanned == 10 && films.returned == 4 && films.scans == 1 && films.read_units == 1));
  CHECK(films.filtered_share() == 0.6);
  const ReportLine& get = report.lines[1];
  CHECK((get.table == "Music" && get.operation == "GetItem" && get.requests == 2 && get.read_units == 0.5));
  CHECK(get.errors == std::map<std::string, std::uint64_t>{{"ValidationException", 1}});
  CHECK(get.filtered_share() == 0);
  CHECK(report.lines[2].write_units == 2);
  CHECK(report.lines[3].scanned == 0);
  CHECK(report.read_units() == 1.5);
  CHECK(report.read_dollars() == Approx(1.5 * 0.125 / 1e6));
  CHECK(report.write_dollars() == Approx(2 * 0.625 / 1e6));
}

TEST_CASE("worlds have reports of their own, which can begin again") {
  Reported r;
  RequestDetails details = Reported::notes("Music", 1, 0);
  r.reports.add("GetItem", "", details);
  details.world = "copy";
  r.reports.add("GetItem", "", details);
  r.clock.advance(5s);
  r.reports.clear("default");
  CHECK(r.report().lines.empty());
  CHECK(r.report().since == start + 5s);
  CHECK(r.reports.of("copy").lines.size() == 1);
  CHECK(r.reports.of("copy").since == start);
  CHECK(r.reports.worlds() == std::vector<std::string>{"copy", "default"});
  CHECK(r.reports.of("none").lines.empty());
}

TEST_CASE("worlds and lines are bounded") {
  Reported r;
  RequestDetails details = Reported::notes("Music", 1, 0);
  for (std::size_t i = 0; i < Reports::most_worlds + 5; ++i) {
    details.world = "world" + std::to_string(i);
    r.reports.add("GetItem", "", details);
  }
  CHECK(r.reports.worlds().size() == Reports::most_worlds + 1);
  CHECK(r.reports.of("(others)").lines.at(0).requests == 5);
  for (std::size_t i = 0; i < Reports::most_lines + 5; ++i) {
    details = Reported::notes("table" + std::to_string(i), 1, 0);
    details.world = "world0";
    r.reports.add("GetItem", "", details);
  }
  CHECK(r.reports.of("world0").lines.size() == Reports::most_lines + 1);
  CHECK(r.reports.of("world0").lines.at(0).requests == 6);
}

TEST_CASE("the hottest partitions and the biggest items are named") {
  Reported r;
  for (int i = 0; i < 12; ++i) r.touch("pk = " + std::to_string(i), "pk = " + std::to_string(i), 100);
  r.touch("pk = 3", "pk = 3", 50);
  r.touch("pk = 4", "pk = 4", 200);
  r.touch("pk = 4", "pk = 4", 20);
  r.touch("pk = 5", "", 0);
  r.touch("pk = 99", "pk = 99", 101);
  r.touch("pk = 98", "pk = 98", 0);
  const Report report = r.report();
  REQUIRE(report.hot_partitions.size() == Reports::keys_listed);
  CHECK(report.hot_partitions[0].requests == 3);
  CHECK(report.hot_partitions[0].key.table == "Music");
  CHECK(report.hot_partitions[0].key.key == "pk = 4");
  for (std::size_t i = 1; i < 3; ++i) CHECK(report.hot_partitions[i].requests == 2);
  REQUIRE(report.biggest_items.size() == Reports::keys_listed);
  CHECK((report.biggest_items[0].key.key == "pk = 4" && report.biggest_items[0].bytes == 200));
  CHECK((report.biggest_items[1].key.key == "pk = 99" && report.biggest_items[1].bytes == 101));
  CHECK(report.biggest_items[2].bytes == 100);
}

TEST_CASE("keys in the text of a report end no line and move no cursor") {
  Reported r;
  RequestDetails put = Reported::notes("Mu\nsic", 0, 1);
  put.touched.push_back({"Mu\nsic", "pk = 'a\nb'", "pk = 'a\nb' AND sk = '\x1B[2J\xFF'", 7});
  r.reports.add("PutItem", "Some\r\nError", put);
  const std::string text = text_of(r.report());
  CHECK(text.find("  1 Mu\\nsic: pk = 'a\\nb'\n") != std::string::npos);
  CHECK(text.find("  7 Mu\\nsic: pk = 'a\\nb' AND sk = '\\u001b[2J\xEF\xBF\xBD'\n") != std::string::npos);
  CHECK(text.find("\nMu\\nsic  PutItem ") != std::string::npos);
  CHECK(text.find("  1 Some\\r\\nError: PutItem Mu\\nsic\n") != std::string::npos);
}

TEST_CASE("a report can be read by people") {
  Reported r;
  r.reports.add("PutItem", "ValidationException", Reported::notes("Music", 0, 2));
  RequestDetails scan = Reported::notes("Music", 0.5, 0);
  scan.add_counts(10, 4);
  scan.scans = true;
  scan.touched.push_back({"Music", "pk = 'a'", "pk = 'a'", 7});
  r.reports.add("Scan", "", scan);
  r.clock.advance(1500ms);
  CHECK(text_of(r.report()) == R"(world default, 2026-01-31T08:00:00.000Z to 2026-01-31T08:00:01.500Z

table  operation  requests  errors  read units  write units  scanned  returned  filtered out
Music  PutItem           1       1           0            2
Music  Scan              1       0         0.5            0       10         4           60%

errors
  1 ValidationException: PutItem Music

reads without a key: 1

hottest partition keys
  1 Music: pk = 'a'

biggest items, in bytes
  7 Music: pk = 'a'

on demand in us-east-1: $0.000001, $0.000000 for reads and $0.000001 for writes
)");
  CHECK(text_of(r.reports.of("none")).find("\n\nno requests\n") != std::string::npos);
}

}  // namespace dinette::observe::report_test
