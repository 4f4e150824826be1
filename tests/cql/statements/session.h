#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/observe/request_details.h"
#include "dinette/tenancy/worlds.h"

#include "cql/schema/place.h"
#include "cql/statements/capacity.h"
#include "cql/statements/execute.h"

namespace dinette::cql::test {

/// A value of a bind marker: bytes, null, or not set.
struct Bound {
  frames::Value::State state = frames::Value::State::bytes;
  std::string bytes{};
};

Bound bound(std::int32_t number);
Bound bound(std::int64_t number);
Bound bound(std::string_view text);
inline Bound null() {
  return {frames::Value::State::null};
}
inline Bound unset() {
  return {frames::Value::State::unset};
}

/// A statement, and what it is refused with: "2200: " and the message, or the beginning of it.
struct Refusal {
  std::string statement;
  std::string error;
};

/// Statements in a world with one keyspace, `ks`. The clock stands still unless a test moves it.
class Session {
 public:
  explicit Session(Mode mode = Mode::lenient);
  /// Verifies all data.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Returns what a statement answers: rows as texts, "1 | a | null" and so on; the error as
  /// "2200: Undefined column name x"; nothing of a statement without rows.
  std::vector<std::string> run(std::string_view statement, std::vector<Bound> values = {});
  /// The same of one row, or of an error.
  std::string one(std::string_view statement, std::vector<Bound> values = {});
  /// Runs a statement where the test needs success.
  void ok(std::string_view statement, std::vector<Bound> values = {});

  /// Checks that each statement is refused with its error.
  void refuses(const std::vector<Refusal>& refusals);
  /// Returns the names of the columns that a statement answers.
  std::vector<std::string> columns(std::string_view statement);

  /// Returns the rows of all pages of a SELECT, and how many each page has.
  std::vector<std::string> pages(std::string_view statement, std::int32_t page_size,
                                 std::vector<std::size_t>* sizes = nullptr);

  Answer<statements::Outcome> execute(std::string_view statement, const std::vector<Bound>& values,
                                      const statements::Options& options);
  Answer<statements::PlanPointer> prepare(std::string_view statement);
  /// Runs a statement that needs success, and notes what it consumes.
  void run_with_details(std::string_view statement, observe::RequestDetails& details);
  /// Has statements refused that their tables have no capacity for.
  void throttle_by(statements::Throttle& throttle) { throttle_ = &throttle; }
  /// Has objects stay CREATING and so on for a while.
  void delay_states(std::chrono::milliseconds delay) { state_delay_ = delay; }
  /// Has rows measured by another formula.
  void measure_by(SizeFormula sizes) { sizes_ = sizes; }
  statements::Options& options() { return options_; }
  base::ManualClock& clock() { return clock_; }
  Place place();
  tenancy::Worlds& worlds() { return worlds_; }
  base::Ids& ids() { return ids_; }
  /// Moves the clock, and does what has become due.
  void advance(std::chrono::microseconds time);
  static std::vector<std::string> texts(const Answer<statements::Outcome>& outcome);

 private:
  base::ManualClock clock_;
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_;
  Mode mode_;
  statements::Options options_;
  observe::RequestDetails* details_ = nullptr;
  statements::Throttle* throttle_ = nullptr;
  SizeFormula sizes_ = SizeFormula::earlier;
  std::chrono::milliseconds state_delay_{0};
};

/// Returns an error as run() does.
std::string text_of(const Error& error);

}  // namespace dinette::cql::test
