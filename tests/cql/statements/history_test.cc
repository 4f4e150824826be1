// Random histories of statements with timestamps, in any order of arrival, against a model in which the last
// write wins (docs/service-keyspaces/timestamps.md sections 2 and 4).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"
#include "support/random_seed.h"

namespace dinette::cql::history_test {
namespace {

using test::Session;

constexpr int rows = 4;

/// A statement on one partition, at a timestamp that no other has.
struct Step {
  enum class Kind : std::uint8_t { insert, update, erase_cell, erase_row, erase_range, erase_partition };

  Kind kind = Kind::insert;
  std::int64_t timestamp = 0;
  int row = 0;
  std::size_t column = 0;  ///< of update and erase_cell

  std::string statement() const;
};

constexpr std::array<std::string_view, 2> columns = {"v", "w"};

std::string Step::statement() const {
  const std::string using_ = " USING TIMESTAMP " + std::to_string(timestamp);
  const std::string value = std::to_string(timestamp);
  const std::string c = std::to_string(row);
  const std::string name(columns[column]);
  switch (kind) {
    case Kind::insert:
      return "INSERT INTO t (p, c, v) VALUES (1, " + c + ", " + value + ")" + using_;
    case Kind::update:
      return "UPDATE t" + using_ + " SET " + name + " = " + value + " WHERE p = 1 AND c = " + c;
    case Kind::erase_cell:
      return "DELETE " + name + " FROM t" + using_ + " WHERE p = 1 AND c = " + c;
    case Kind::erase_row:
      return "DELETE FROM t" + using_ + " WHERE p = 1 AND c = " + c;
    case Kind::erase_range:
      return "DELETE FROM t" + using_ + " WHERE p = 1 AND c >= " + c;
    case Kind::erase_partition:
      return "DELETE FROM t" + using_ + " WHERE p = 1";
  }
  return {};
}

std::vector<Step> random_steps(std::mt19937_64& random) {
  std::vector<Step> steps(1 + random() % 20);
  std::int64_t timestamp = 0;
  for (Step& step : steps) {
    timestamp += 1 + static_cast<std::int64_t>(random() % 5);
    // Deletions of many rows are rarer, so that something is left.
    const std::uint64_t kind = random() % 16;
    step.kind = kind < 13 ? static_cast<Step::Kind>(kind % 4) : static_cast<Step::Kind>(3 + random() % 3);
    step.timestamp = timestamp;
    step.row = static_cast<int>(random() % rows);
    step.column = random() % columns.size();
  }
  return steps;
}

bool deletes_row(const Step& step, int row) {
  switch (step.kind) {
    case Step::Kind::erase_row:
      return step.row == row;
    case Step::Kind::erase_range:
      return row >= step.row;
    case Step::Kind::erase_partition:
      return true;
    default:
      return false;
  }
}

/// Returns what a column of a row shows, which is the timestamp of its last write.
std::optional<std::int64_t> value_of(const std::vector<Step>& steps, int row, std::size_t column) {
  const Step* last = nullptr;
  for (const Step& step : steps) {
    const bool inserts = step.kind == Step::Kind::insert && column == 0;
    const bool writes =
        inserts ||
        ((step.kind == Step::Kind::update || step.kind == Step::Kind::erase_cell) && step.column == column);
    const bool touches = deletes_row(step, row) || (writes && step.row == row);
    if (touches && (last == nullptr || step.timestamp > last->timestamp)) last = &step;
  }
  const bool lives =
      last != nullptr && (last->kind == Step::Kind::insert || last->kind == Step::Kind::update);
  return lives ? std::optional(last->timestamp) : std::nullopt;
}

/// Returns true if an INSERT has marked the row, and no deletion came after it.
bool is_marked(const std::vector<Step>& steps, int row) {
  std::int64_t marked = 0;
  std::int64_t deleted = 0;
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::insert && step.row == row) marked = std::max(marked, step.timestamp);
    if (deletes_row(step, row)) deleted = std::max(deleted, step.timestamp);
  }
  return marked > deleted;
}

std::vector<std::string> model_of(const std::vector<Step>& steps) {
  std::vector<std::string> shown;
  for (int row = 0; row < rows; ++row) {
    const auto v = value_of(steps, row, 0);
    const auto w = value_of(steps, row, 1);
    if (!v && !w && !is_marked(steps, row)) continue;
    const auto text = [](const std::optional<std::int64_t>& value) {
      return value ? std::to_string(*value) : std::string("null");
    };
    shown.push_back(std::to_string(row) + " | " + text(v) + " | " + text(w));
  }
  return shown;
}

}  // namespace

TEST_CASE("histories with timestamps end as the model says, in any order of arrival") {
  std::mt19937_64 random(dinette::test::random_seed());
  for (int round = 0; round < dinette::test::rounds_of(100); ++round) {
    std::vector<Step> steps = random_steps(random);
    const auto expected = model_of(steps);
    for (int order = 0; order < 2; ++order) {
      Session session;
      session.ok("CREATE TABLE t (p int, c int, v bigint, w bigint, PRIMARY KEY (p, c))");
      for (const Step& step : steps) {
        session.ok(step.statement());
        // The upkeep of a few days changes nothing that can be seen.
        if (random() % 8 == 0) session.advance(std::chrono::hours(6));
      }
      CHECK(session.run("SELECT c, v, w FROM t WHERE p = 1") == expected);
      std::ranges::shuffle(steps, random);
    }
  }
}

}  // namespace dinette::cql::history_test
