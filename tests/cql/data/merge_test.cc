// Random writes of one row, in random orders of arrival, against a naive model of last write wins
// (docs/service-keyspaces/timestamps.md sections 2 to 4).
#include "cql/data/merge.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/data/record.h"
#include "support/random_seed.h"

namespace dinette::cql::data::merge_test {

/// The moments around it have as many digits, so that the model can compare them as texts.
constexpr Seconds now = 5'000;
constexpr Rules rules{.by_timestamp = true, .now = now};

/// A write of a row: columns 0 and 1 have one value, column 2 has elements.
struct Event {
  enum class Kind { put, erase, erase_elements, erase_row, erase_partition, mark };

  Kind kind = Kind::put;
  std::uint32_t column = 0;
  std::string path{};
  std::string value{};
  Timestamp timestamp = 0;
  std::int32_t time_to_live = 0;
  Seconds expires = 0;
};

Event random_event(std::mt19937_64& random) {
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  Event event;
  event.kind = below(2) == 0 ? Event::Kind::put : static_cast<Event::Kind>(below(6));
  event.column = event.kind == Event::Kind::erase_elements ? 2 : below(3);
  if (event.column == 2) event.path = std::string(1, static_cast<char>('a' + below(3)));
  event.value = std::string(1, static_cast<char>('A' + below(4)));
  event.timestamp = 1 + below(8);
  if (below(4) == 0) {
    event.time_to_live = 10;
    event.expires = now - 5 + below(10);
  }
  return event;
}

/// What is applied to records, as statements do.
void apply(const Event& event, Row& row, Partition& partition) {
  const Deletion deletion{event.timestamp, now};
  const Stamp stamp{event.timestamp, event.time_to_live, event.expires};
  switch (event.kind) {
    case Event::Kind::put:
      put_cell(row.cells, {.column = event.column, .stamp = stamp, .path = event.path, .value = event.value},
               row.deletion, rules);
      return;
    case Event::Kind::erase:
      put_cell(row.cells,
               {.column = event.column,
                .kind = Cell::Kind::tombstone,
                .stamp = {.timestamp = event.timestamp},
                .made = now,
                .path = event.path},
               row.deletion, rules);
      return;
    case Event::Kind::erase_elements:
      delete_elements(row.cells, event.column, deletion, row.deletion, rules);
      return;
    case Event::Kind::erase_row:
      delete_row(row, deletion, rules);
      return;
    case Event::Kind::erase_partition:
      delete_partition(partition, deletion, rules);
      return;
    case Event::Kind::mark:
      mark_row(row, stamp, rules);
      return;
  }
}

/// Greater is what wins: time, then being dead, then the value.
struct Rank {
  Timestamp timestamp = no_timestamp;
  bool dead = true;
  std::string value{};
};

bool less(const Rank& a, const Rank& b) {
  if (a.timestamp != b.timestamp) return a.timestamp < b.timestamp;
  if (a.dead != b.dead) return b.dead;
  return a.value < b.value;
}

/// The naive model: for each place the greatest of all that was ever written there.
std::map<std::string, std::string> model_of(const std::vector<Event>& events) {
  std::map<std::string, Rank> winners;
  Timestamp all = no_timestamp;
  Timestamp elements = no_timestamp;
  for (const Event& event : events) {
    if (event.kind == Event::Kind::erase_row || event.kind == Event::Kind::erase_partition) {
      all = std::max(all, event.timestamp);
    } else if (event.kind == Event::Kind::erase_elements) {
      elements = std::max(elements, event.timestamp);
    } else {
      const bool dead = event.kind == Event::Kind::erase || (event.time_to_live != 0 && event.expires <= now);
      const bool mark = event.kind == Event::Kind::mark;
      const std::string place = mark ? "mark" : std::to_string(event.column) + event.path;
      // Of two markers at one time the one that expires stays, of two that do the later one.
      const std::string value =
          mark ? (event.time_to_live == 0 ? "0" : std::to_string(event.expires)) : event.value;
      Rank rank{event.timestamp, !mark && dead, value};
      Rank& winner = winners[place];
      if (less(winner, rank)) winner = rank;
    }
  }
  std::map<std::string, std::string> visible;
  for (const auto& [place, rank] : winners) {
    const bool hidden = rank.timestamp <= all || (place.front() == '2' && rank.timestamp <= elements);
    const bool dead = place == "mark" ? rank.value != "0" && std::stoll(rank.value) <= now : rank.dead;
    if (!hidden && !dead) visible[place] = place == "mark" ? "" : rank.value;
  }
  return visible;
}

std::map<std::string, std::string> seen_of(Row row, const Partition& partition) {
  std::map<std::string, std::string> visible;
  const bool exists = keep_visible(row, partition.deletion_of("row"), now);
  if (row.marker) visible["mark"] = "";
  for (const Cell& cell : row.cells)
    visible[std::to_string(cell.column) + std::string(cell.path)] = cell.value;
  CHECK(exists == !visible.empty());
  return visible;
}

TEST_CASE("in any order of arrival, the last write wins in each place") {
  std::mt19937_64 random(test::random_seed());
  for (int round = 0; round < test::rounds_of(3'000); ++round) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < 1 + random() % 12; ++i) events.push_back(random_event(random));
    const auto expected = model_of(events);
    for (int order = 0; order < 3; ++order) {
      Row row;
      Partition partition;
      kv::Value row_record;
      kv::Value partition_record;
      for (const Event& event : events) {
        apply(event, row, partition);
        // Through the bytes of the records, as each write does.
        row_record = encode(row);
        partition_record = encode(partition);
        row = decode_row(row_record.view()).value();
        partition = decode_partition(partition_record.view()).value();
      }
      CHECK(seen_of(row, partition) == expected);
      std::ranges::shuffle(events, random);
    }
  }
}

// docs/service-keyspaces/timestamps.md section 4.
TEST_CASE("of equal values of one time the one that lasts longer stays, of markers the one that expires") {
  const auto end = [](std::vector<Stamp> stamps, bool of_marker) {
    Row row;
    for (const Stamp& stamp : stamps) {
      put_cell(row.cells, {.column = 1, .stamp = stamp, .value = "v"}, row.deletion, rules);
      mark_row(row, stamp, rules);
    }
    const Stamp& kept = of_marker ? *row.marker : row.cells.front().stamp;
    return kept.time_to_live == 0 ? Seconds{0} : kept.expires;
  };
  constexpr Stamp none{.timestamp = 5};
  constexpr Stamp early{.timestamp = 5, .time_to_live = 10, .expires = now + 10};
  constexpr Stamp late{.timestamp = 5, .time_to_live = 20, .expires = now + 20};
  for (const std::vector<Stamp>& stamps : {std::vector{none, early}, std::vector{early, none}}) {
    CHECK(end(stamps, false) == 0);
    CHECK(end(stamps, true) == early.expires);
  }
  for (const std::vector<Stamp>& stamps : {std::vector{late, early}, std::vector{early, late}}) {
    CHECK(end(stamps, false) == late.expires);
    CHECK(end(stamps, true) == late.expires);
  }
}

// docs/service-keyspaces/timestamps.md section 6.
TEST_CASE("tombstones are kept for ten days") {
  constexpr Seconds ten_days = 10 * 24 * 60 * 60;
  Row row;
  delete_row(row, {5, now}, rules);
  put_cell(row.cells, {.column = 1, .kind = Cell::Kind::tombstone, .stamp = {.timestamp = 6}, .made = now},
           row.deletion, rules);
  purge(row, {.now = now + ten_days - 1});
  CHECK(row.deletion.exists());
  CHECK(row.cells.size() == 1);
  purge(row, {.now = now + ten_days});
  CHECK(row.empty());
}

TEST_CASE("without timestamps of clients the later write wins, and deletions leave nothing") {
  constexpr Rules arrival{.by_timestamp = false, .now = now};
  Row row;
  put_cell(row.cells, {.column = 1, .stamp = {.timestamp = 9}, .value = "old"}, row.deletion, arrival);
  put_cell(row.cells, {.column = 1, .stamp = {.timestamp = 3}, .value = "new"}, row.deletion, arrival);
  REQUIRE(row.cells.size() == 1);
  CHECK(row.cells.front().value == "new");
  delete_row(row, {1, now}, arrival);
  CHECK(row.empty());
}

}  // namespace dinette::cql::data::merge_test
