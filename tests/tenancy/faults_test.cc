#include "dinette/tenancy/faults.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <latch>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::tenancy::faults_test {
namespace {

using Phase = FaultEffect::Phase;

FaultEffect error(std::string type) {
  return {.error = std::move(type)};
}

/// Returns the error that each of `count` requests gets; "-" for none.
std::string errors_of(Faults& faults, int count, const FaultRequest& request) {
  std::string errors;
  for (int i = 0; i < count; ++i) {
    const auto hit = faults.next(request);
    errors += hit ? hit->effect.error : "-";
  }
  return errors;
}

constexpr FaultRequest put{.operation = "Put"};

}  // namespace

TEST_CASE("without rules there are no faults") {
  Faults faults;
  CHECK_FALSE(faults.any());
  CHECK_FALSE(faults.next(put));
  faults.replace({{.effect = error("E")}});
  CHECK(faults.any());
  faults.replace({});
  CHECK_FALSE(faults.any());
  CHECK_FALSE(faults.next(put));
}

TEST_CASE("a rule hits requests of its operation and table") {
  Faults faults;
  faults.replace({{.operation = "Put", .table = "films", .effect = error("E")}});
  const FaultTarget films[] = {{"music"}, {"films"}};
  const FaultTarget music[] = {{"music"}};
  CHECK(faults.next({"Put", films}));
  CHECK_FALSE(faults.next({"Get", films}));
  CHECK_FALSE(faults.next({"Put", music}));
  CHECK_FALSE(faults.next(put));
  faults.replace({{.table = "films", .effect = error("E")}});
  CHECK(faults.next({"Get", films}));
  CHECK_FALSE(faults.next({"Get", music}));
}

TEST_CASE("a rule with a key hits requests that name an item that has it, in the rule's table") {
  Faults faults;
  const FaultAttribute a = {"id", "S", "a"};
  const FaultAttribute one = {"at", "N", "1"};
  faults.replace({{.table = "films", .key = {a, one}, .effect = error("E")}});
  const auto hits = [&](std::vector<FaultTarget> targets) {
    return faults.next({"Put", targets}).has_value();
  };
  CHECK(hits({{"films", {one, {"more", "S", "b"}, a}}}));
  CHECK(hits({{"films", {}}, {"films", {a, one}}}));
  CHECK_FALSE(hits({{"films", {a}}}));
  CHECK_FALSE(hits({{"films", {a}}, {"films", {one}}}));
  CHECK_FALSE(hits({{"films", {a, {"at", "S", "1"}}}}));
  CHECK_FALSE(hits({{"films", {}}, {"music", {a, one}}}));
  CHECK_FALSE(hits({}));
  faults.replace({{.key = {a}, .effect = error("E")}});
  CHECK(hits({{"music", {a, one}}}));
  CHECK_FALSE(hits({{"music", {}}}));
}

TEST_CASE("a delay that is drawn is of its distribution, and the same ones with the same seed") {
  Faults faults;
  using std::chrono::milliseconds;
  const auto delays = [&](FaultDelay delay, std::uint64_t seed) {
    faults.replace({{.seed = seed, .effect = {.delay = delay}}});
    std::vector<std::int64_t> times;
    for (int i = 0; i < 1000; ++i) times.push_back(faults.next(put)->delay.count());
    return times;
  };
  const auto sum = [](const std::vector<std::int64_t>& times) {
    return std::accumulate(times.begin(), times.end(), std::int64_t{0});
  };
  const FaultDelay uniform{milliseconds(10), milliseconds(13)};
  const auto between = delays(uniform, 1);
  CHECK(std::set(between.begin(), between.end()) == std::set<std::int64_t>{10, 11, 12, 13});
  CHECK((sum(between) > 11'300 && sum(between) < 11'700));
  CHECK(delays(uniform, 1) == between);
  CHECK(delays(uniform, 2) != between);
  const FaultDelay exponential{milliseconds(0), milliseconds(500), milliseconds(100)};
  const auto around = delays(exponential, 1);
  CHECK((sum(around) > 90'000 && sum(around) < 110'000));
  const auto longer = std::ranges::count_if(around, [](std::int64_t time) { return time > 100; });
  CHECK((longer > 320 && longer < 420));
  CHECK(std::ranges::max(around) == 500);
  CHECK(delays(exponential, 1) == around);
}

TEST_CASE("a rule hits from the nth matching request on, and at most so many times") {
  Faults faults;
  const auto errors = [&](std::uint64_t nth, std::optional<std::uint64_t> times) {
    faults.replace({{.nth = nth, .times = times, .effect = error("E")}});
    return errors_of(faults, 6, put);
  };
  CHECK(errors(1, {}) == "EEEEEE");
  CHECK(errors(1, 2) == "EE----");
  CHECK(errors(3, 1) == "--E---");
  CHECK(errors(3, 2) == "--EE--");
  CHECK(errors(3, {}) == "--EEEE");
}

TEST_CASE("the first rule that fires decides, and those after it do not see the request") {
  Faults faults;
  faults.replace({{.operation = "Put", .times = 2, .effect = error("A")},
                  {.operation = "Get", .effect = error("G")},
                  {.nth = 2, .times = 1, .effect = error("B")}});
  CHECK(errors_of(faults, 5, put) == "AA-B-");
  const auto records = faults.list();
  REQUIRE(records.size() == 3);
  CHECK((records[0].matched == 5 && records[0].fired == 2));
  CHECK((records[1].matched == 0 && records[1].fired == 0));
  CHECK((records[2].matched == 3 && records[2].fired == 1));
  CHECK(records[2].rule.effect.error == "B");
}

TEST_CASE("a probability is about the share of requests that are hit, and the seed says which") {
  Faults faults;
  const auto errors = [&](std::uint64_t seed, double probability) {
    faults.replace({{.probability = probability, .seed = seed, .effect = error("E")}});
    return errors_of(faults, 1000, put);
  };
  const std::string some = errors(7, 0.25);
  const auto hits = std::ranges::count(some, 'E');
  CHECK((hits > 200 && hits < 300));
  CHECK(errors(7, 0.25) == some);
  CHECK(errors(8, 0.25) != some);
  CHECK(errors(7, 1) == std::string(1000, 'E'));
}

TEST_CASE("rules have random numbers of their own") {
  Faults faults;
  faults.replace({{.operation = "Put", .probability = 0.5, .seed = 7, .effect = error("E")}});
  const std::string alone = errors_of(faults, 100, put);
  faults.replace({{.operation = "Get", .probability = 0.5, .seed = 7, .effect = error("E")},
                  {.operation = "Put", .probability = 0.5, .seed = 7, .effect = error("E")}});
  std::string mixed;
  for (int i = 0; i < 100; ++i) {
    faults.next({"Get"});
    mixed += errors_of(faults, 1, put);
  }
  CHECK(mixed == alone);
}

TEST_CASE("an effect is passed on as its rule gives it") {
  Faults faults;
  faults.replace(
      {{.effect = {Phase::after, "E", "text", FaultDelay::always(std::chrono::milliseconds(5)), true}}});
  const auto hit = faults.next(put);
  REQUIRE(hit);
  CHECK(hit->effect.phase == Phase::after);
  CHECK(hit->effect.message == "text");
  CHECK(hit->delay == std::chrono::milliseconds(5));
  CHECK(hit->effect.drop);
}

TEST_CASE("each hit of an effect that draws numbers has a seed of its own, from that of the rule") {
  Faults faults;
  const auto seeds = [&](std::uint64_t seed) {
    faults.replace({{.seed = seed, .effect = {.unprocessed_share = 0.5}}});
    return std::array{faults.next(put)->seed, faults.next(put)->seed};
  };
  const auto first = seeds(1);
  CHECK(first[0] != first[1]);
  CHECK(seeds(1) == first);
  CHECK(seeds(2) != first);
}

TEST_CASE("delays end when they are due") {
  Faults faults;
  faults.replace(
      {{.operation = "Put", .effect = {.delay = FaultDelay::always(std::chrono::milliseconds(20))}},
       {.operation = "Get", .effect = {.delay = FaultDelay::always(std::chrono::milliseconds(1))}}});
  const auto slow = faults.next(put);
  const auto quick = faults.next({"Get"});
  std::latch due(3);
  const auto end = [&] { due.count_down(); };
  faults.resume_after_delay(*slow, end);
  faults.resume_after_delay(*quick, end);  // which the thread was not waiting for
  faults.resume_after_delay(*slow, end);
  due.wait();
  SUCCEED();
}

TEST_CASE("replacing the rules ends delays, and starts all counts again") {
  Faults faults;
  faults.replace({{.effect = {.delay = FaultDelay::always(std::chrono::hours(1))}}});
  const auto hit = faults.next(put);
  REQUIRE(hit);
  int ended = 0;
  for (int i = 0; i < 3; ++i) faults.resume_after_delay(*hit, [&] { ++ended; });
  CHECK(ended == 0);
  faults.replace({{.times = 1, .effect = error("E")}});
  CHECK(ended == 3);
  faults.resume_after_delay(*hit, [&] { ++ended; });  // its rules are no longer there
  CHECK(ended == 4);
  CHECK(faults.list()[0].fired == 0);
  CHECK(errors_of(faults, 2, put) == "E-");
}

TEST_CASE("delays that continue when the faults end are dropped") {
  bool resumed = false;
  {
    Faults faults;
    faults.replace({{.effect = {.delay = FaultDelay::always(std::chrono::hours(1))}}});
    faults.resume_after_delay(*faults.next(put), [&] { resumed = true; });
  }
  CHECK_FALSE(resumed);
}

}  // namespace dinette::tenancy::faults_test
