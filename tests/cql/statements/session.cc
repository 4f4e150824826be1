#include "cql/statements/session.h"

#include <cstdio>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/cql/service.h"
#include "dinette/cql/verify.h"

#include "cql/grammar/parse.h"
#include "cql/recovery/restore_table.h"
#include "cql/schema/ddl.h"
#include "cql/values/numbers.h"
#include "cql/values/to_text.h"
#include "cql/wire/background.h"
#include "support/engines.h"

namespace dinette::cql::test {
namespace {

// 2026-11-21T00:16:51Z
constexpr base::TimePoint start{std::chrono::seconds(1'795'220'211)};

tenancy::WorldsOptions worlds_options() {
  tenancy::WorldsOptions options;
  options.engines = ::test::make_test_engines();
  options.faces = {world_face()};
  options.run_jobs = false;
  return options;
}

std::string shown(const Type& type, const frames::Cell& cell) {
  if (!cell) return "null";
  const std::string text = json_text(type, *cell);
  return text.size() > 1 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

Bound bound(std::int32_t number) {
  return {frames::Value::State::bytes, fixed_bytes(number, 4)};
}

Bound bound(std::int64_t number) {
  return {frames::Value::State::bytes, fixed_bytes(number, 8)};
}

Bound bound(std::string_view text) {
  return {frames::Value::State::bytes, std::string(text)};
}

std::string text_of(const Error& error) {
  char code[8];
  std::snprintf(code, sizeof code, "%04X", static_cast<unsigned>(error.code));
  return std::string(code) + ": " + error.message;
}

Session::Session(Mode mode) : clock_(start), worlds_(worlds_options(), clock_, ids_), mode_(mode) {
  ok("CREATE KEYSPACE ks WITH replication = {'class': 'SingleRegionStrategy'}");
}

Session::~Session() {
  const auto fail = [](const std::string& fault) { FAIL_CHECK(fault); };
  for (const tenancy::ListedWorld& one : worlds_.list()) {
    const auto checked = verify_rows(*one.world, fail);
    if (!checked) fail(checked.error().message);
  }
}

Place Session::place() {
  tenancy::World& world = *worlds_.pick("").value();
  return {.world = world,
          .store = world.store(face_id),
          .now = clock_.now(),
          .mode = mode_,
          .state_delay = state_delay_,
          .sizes = sizes_,
          .details = details_,
          .throttle = throttle_};
}

void Session::run_with_details(std::string_view statement, observe::RequestDetails& details) {
  details_ = &details;
  ok(statement);
  details_ = nullptr;
}

void Session::advance(std::chrono::microseconds time) {
  clock_.advance(time);
  for (const tenancy::ListedWorld& one : worlds_.list()) one.world->jobs().run_due();
}

Answer<statements::PlanPointer> Session::prepare(std::string_view statement) {
  DINETTE_TRY(grammar::Statement parsed, grammar::parse(statement));
  return statements::prepare(place(), "ks", std::move(parsed));
}

Answer<statements::Outcome> Session::execute(std::string_view statement, const std::vector<Bound>& values,
                                             const statements::Options& options) {
  DINETTE_TRY(grammar::Statement parsed, grammar::parse(statement));
  Place here = place();
  if (schema::is_ddl(parsed)) {
    DINETTE_TRY(const auto changed, recovery::execute_definition(here, "ks", parsed));
    if (changed) wire::announce(here.world, here.store, *changed);
    return statements::Outcome(statements::Void{});
  }
  base::TimePoint next_upkeep = base::TimePoint::max();
  here.next_upkeep = &next_upkeep;
  DINETTE_TRY(const auto plan, statements::prepare(here, "ks", std::move(parsed)));
  std::vector<frames::Value> views;
  for (const Bound& value : values) views.push_back({value.state, value.bytes});
  auto outcome = statements::execute(here, *plan, views, options);
  if (next_upkeep != base::TimePoint::max()) wire::keep_later(here.world, here.store, next_upkeep);
  return outcome;
}

std::vector<std::string> Session::texts(const Answer<statements::Outcome>& outcome) {
  if (!outcome) return {text_of(outcome.error())};
  std::vector<std::string> out;
  const auto* const rows = std::get_if<statements::RowSet>(&*outcome);
  if (rows == nullptr) return out;
  for (const auto& row : rows->rows) {
    std::string& text = out.emplace_back();
    REQUIRE(row.size() == rows->metadata.columns->specs().size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      text.append(i > 0 ? " | " : "").append(shown(rows->metadata.columns->specs()[i].type, row[i]));
    }
  }
  return out;
}

std::vector<std::string> Session::run(std::string_view statement, std::vector<Bound> values) {
  return texts(execute(statement, values, options_));
}

std::string Session::one(std::string_view statement, std::vector<Bound> values) {
  const auto rows = run(statement, std::move(values));
  INFO(statement);
  CHECK(rows.size() == 1);
  return rows.empty() ? "" : rows.front();
}

void Session::ok(std::string_view statement, std::vector<Bound> values) {
  const auto outcome = execute(statement, values, options_);
  INFO(statement << ": " << (outcome ? "" : text_of(outcome.error())));
  REQUIRE(outcome);
}

void Session::refuses(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    INFO(refusal.statement);
    const auto answer = run(refusal.statement);
    REQUIRE(answer.size() == 1);
    CHECK(answer.front().substr(0, refusal.error.size()) == refusal.error);
  }
}

std::vector<std::string> Session::columns(std::string_view statement) {
  const auto outcome = execute(statement, {}, options_);
  INFO(statement << ": " << (outcome ? "" : text_of(outcome.error())));
  REQUIRE(outcome);
  std::vector<std::string> names;
  const auto& rows = std::get<statements::RowSet>(*outcome);
  for (const frames::ColumnSpec& column : rows.metadata.columns->specs()) names.push_back(column.name);
  return names;
}

std::vector<std::string> Session::pages(std::string_view statement, std::int32_t page_size,
                                        std::vector<std::size_t>* sizes) {
  std::vector<std::string> out;
  statements::Options options = options_;
  options.page_size = page_size;
  std::string state;
  for (;;) {
    const auto outcome = execute(statement, {}, options);
    const auto page = texts(outcome);
    if (sizes != nullptr) sizes->push_back(page.size());
    out.insert(out.end(), page.begin(), page.end());
    if (!outcome || out.size() > 10'000) return out;
    const auto& next = std::get<statements::RowSet>(*outcome).metadata.paging_state;
    if (!next) return out;
    state = *next;
    options.paging_state = state;
  }
}

}  // namespace dinette::cql::test
