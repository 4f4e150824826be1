#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/replicas/region_clients.h"
#include "support/random_seed.h"

// docs/service/global-tables.md section 1: a random history in three regions, with lag, links
// that are cut, clocks that are wrong, and restarts, next to a model in which the last writer wins.
namespace test::convergence_test {

using namespace std::chrono_literals;

namespace {

constexpr std::string_view all[] = {east, west, ireland};
constexpr auto longest_lag = 300ms;

/// What a region knows of an item: its version, and its value, which a deleted one has not.
struct Known {
  std::tuple<dinette::base::TimePoint, std::string> version;
  std::optional<std::string> value;
};

/// The regions as they should be.
class Model {
 public:
  using Link = std::pair<std::string, std::string>;

  /// Writes an item, by the clock of the region.
  void write(const std::string& region, const std::string& pk, const std::optional<std::string>& value,
             dinette::base::TimePoint now) {
    auto& items = items_[region];
    const auto known = items.find(pk);
    const bool same = known == items.end() ? !value : known->second.value == value;
    if (same) return;
    dinette::base::TimePoint moment = now;
    if (known != items.end()) moment = std::max(moment, std::get<0>(known->second.version) + 1us);
    const Known written{{moment, region}, value};
    items[pk] = written;
    for (const std::string_view other : all) {
      if (other != region) pending_[{region, std::string(other)}].emplace_back(pk, written);
    }
  }

  void deliver(const Link& link) {
    auto& items = items_[link.second];
    for (const auto& [pk, change] : pending_[link]) {
      const auto [known, added] = items.try_emplace(pk, change);
      if (!added && change.version > known->second.version) known->second = change;
    }
    pending_[link].clear();
  }

  std::uint64_t pending(const Link& link) { return pending_[link].size(); }

  Json items(const std::string& region) {
    Json items = Json::object();
    for (const auto& [pk, known] : items_[region]) {
      if (known.value) items[pk] = song(pk, *known.value);
    }
    return items;
  }

 private:
  std::map<std::string, std::map<std::string, Known>> items_;
  std::map<Link, std::vector<std::pair<std::string, Known>>> pending_;
};

dinette::dynamodb::ServiceOptions lagging(std::uint64_t seed) {
  dinette::dynamodb::ServiceOptions options;
  options.replication_lag.delay = {.least = 0ms, .most = longest_lag};
  options.replication_lag.seed = seed;
  return options;
}

class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed), regions_(lagging(seed)) {
    regions_.create(east, {west, ireland});
    set_links({});
  }

  /// Writes while no link carries anything, and then lets some links carry all that there is.
  void round() {
    const int writes = 1 + choose(12);
    for (int i = 0; i < writes; ++i) write();
    for (const auto& state : regions_.states())
      CHECK(state.pending == model_.pending({state.from, state.to}));
    if (choose(8) == 0)
      restart();
    else
      let_carry(choose_links());
    check();
  }

  void finish() {
    let_carry(all_links());
    check();
    const Json expected = model_.items(std::string(east));
    for (const std::string_view region : all) {
      CHECK(regions_.items(region) == expected);
      CHECK(shown_by_stream(region) == expected);
    }
  }

 private:
  using Links = std::vector<Model::Link>;

  int choose(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  static Links all_links() {
    Links links;
    for (const std::string_view from : all) {
      for (const std::string_view to : all) {
        if (from != to) links.emplace_back(from, to);
      }
    }
    return links;
  }

  Links choose_links() {
    Links links = all_links();
    std::erase_if(links, [this](const auto&) { return choose(2) == 0; });
    return links;
  }

  void set_links(const Links& whole) {
    dinette::tenancy::RegionSetting setting{.cut = {}, .skews = skews_};
    for (const auto& [from, to] : all_links()) {
      if (std::find(whole.begin(), whole.end(), Model::Link(from, to)) == whole.end())
        setting.cut.insert({from, to});
    }
    regions_.world().links().replace(std::move(setting));
    regions_.world().lanes().appended();
  }

  void let_carry(const Links& links) {
    set_links(links);
    wait_for(links);
    set_links({});
  }

  void wait_for(const Links& links) {
    regions_.pass_time(longest_lag);
    for (const auto& link : links) model_.deliver(link);
    regions_.until([&] {
      for (const auto& state : regions_.states()) {
        const bool carries =
            std::find(links.begin(), links.end(), Model::Link(state.from, state.to)) != links.end();
        if (carries && state.pending != 0) return false;
      }
      return true;
    });
  }

  /// The world goes on as a copy of itself, which has all links whole.
  void restart() {
    auto& worlds = regions_.db.worlds();
    REQUIRE(worlds.fork("", "copy"));
    REQUIRE(worlds.fork("copy", ""));
    REQUIRE(worlds.drop("copy"));
    skews_.clear();
    wait_for(all_links());
    set_links({});
  }

  void write() {
    const std::string region(all[choose(3)]);
    const std::string pk = "song" + std::to_string(choose(4));
    if (choose(3) == 0) regions_.pass_time(std::chrono::milliseconds(choose(50)));
    if (choose(5) == 0) {
      skews_[region] = std::chrono::seconds(choose(7) - 3);
      set_links({});
    }
    const auto skew = skews_.find(region);
    const auto now = regions_.db.clock().now() + (skew == skews_.end() ? 0us : skew->second);
    std::optional<std::string> value;
    if (choose(4) != 0) value = "value" + std::to_string(choose(50));
    if (value)
      regions_.put(region, song(pk, *value));
    else
      regions_.erase(region, pk);
    model_.write(region, pk, value, now);
  }

  void check() {
    for (const std::string_view region : all)
      CHECK(regions_.items(region) == model_.items(std::string(region)));
  }

  /// What the records of a stream lead to, one after the other.
  Json shown_by_stream(std::string_view region) {
    Json shown = Json::object();
    for (const Json& record : regions_.records(region)) {
      const Json& change = record.at("dynamodb");
      const std::string pk = change.at("Keys").at("pk").at("S");
      const Json before = change.value("OldImage", Json());
      CHECK(before == shown.value(pk, Json()));
      if (change.contains("NewImage"))
        shown[pk] = change.at("NewImage");
      else
        shown.erase(pk);
    }
    return shown;
  }

  std::mt19937_64 random_;
  Regions regions_;
  Model model_;
  std::map<std::string, std::chrono::microseconds, std::less<>> skews_;
};

}  // namespace

TEST_CASE("regions agree on the last writer, whatever links and clocks do") {
  History history(dinette::test::random_seed());
  const int rounds = dinette::test::rounds_of(40);
  for (int i = 0; i < rounds; ++i) history.round();
  history.finish();
}

}  // namespace test::convergence_test
