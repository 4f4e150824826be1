#include "lambda/triggers/trigger_keeper.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "lambda/api/enums.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/api/window_progress.h"
#include "lambda/fixture.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/mappings/mapping_state.h"
#include "lambda/triggers/kept_triggers.h"

// docs/triggers.md; of the mappings, docs/service/triggers.md section 1.
namespace test::lambda::trigger_keeper_test {
namespace {

using dinette::lambda::KeptMappings;
using dinette::lambda::KeptTriggers;
using dinette::lambda::PollersSettings;
using dinette::lambda::Trigger;
using dinette::lambda::TriggerKeeper;
using dinette::lambda::TriggerState;
using Strings = std::vector<std::string>;
namespace api = dinette::lambda::api;

const std::string second_stream = table_stream + "1";

Trigger trigger(const std::string& name, const std::string& function = "work") {
  return {.name = name, .stream = table_stream, .function = function};
}

Trigger table_trigger(const std::string& name = "music") {
  return {.name = name, .table = "Music", .function = "work"};
}

/// The triggers of a world. Its lanes do not run: a test has them follow tables.
class Keeper {
 public:
  Keeper() { lambda_.world().lanes().stop(); }

  /// What is wrong with triggers; empty: they were made.
  std::string replace(std::vector<Trigger> triggers) {
    return keeper_.replace(lambda_.world(), std::move(triggers)).value().value_or("");
  }
  void follow_tables() { REQUIRE(keeper_.follow_tables(lambda_.world()).ok()); }
  std::vector<TriggerState> list() { return keeper_.list(lambda_.world()).value(); }

  /// "NAME: STATE STREAM" of each; without a mapping, "NAME: - -".
  Strings states() {
    Strings all;
    for (const TriggerState& state : list()) {
      const std::string stream = state.stream_arn == table_stream    ? "first"
                                 : state.stream_arn == second_stream ? "second"
                                                                     : "-";
      all.push_back(state.trigger.name + ": " + (state.state.empty() ? "-" : state.state) + " " + stream);
    }
    return all;
  }

  std::size_t mappings_left() {
    std::size_t count = 0;
    const auto take = [&](const api::MappingRecord& mapping) {
      if (!dinette::lambda::is_deleting(mapping)) ++count;
      return true;
    };
    REQUIRE(mappings().for_each("", take));
    return count;
  }

  std::string place_of(const std::string& id) {
    const auto place = keeper_.place_of(lambda_.store(), *mappings().find(id).value());
    return place ? text_of(*place) : "";
  }

  KeptMappings mappings() { return KeptMappings(lambda_.store()); }
  KeptTriggers triggers() { return KeptTriggers(lambda_.store()); }
  Lambda& lambda() { return lambda_; }
  Strings& changed() { return changed_; }

 private:
  Lambda lambda_;
  Strings changed_;  ///< UUIDs of mappings
  PollersSettings settings_ = {
      .sources = lambda_.streams, .ids = lambda_.ids(), .account = "000000000000", .region = "us-east-1"};
  TriggerKeeper keeper_{settings_,
                        [this](auto&, auto, std::string_view uuid) { changed_.emplace_back(uuid); }};
};

}  // namespace

TEST_CASE("a trigger has a mapping, of which those who deliver hear") {
  Keeper keeper;
  REQUIRE(keeper.replace({trigger("one"), trigger("two", "other")}).empty());
  CHECK(keeper.states() == Strings{"one: Enabled first", "two: Enabled first"});
  CHECK(keeper.changed() == Strings{keeper.list()[0].id, keeper.list()[1].id});
}

TEST_CASE("the trigger of a table waits for its stream, and reads all of it") {
  Keeper keeper;
  Trigger latest = table_trigger();
  latest.position = dinette::deliveries::StartingPosition::latest;
  REQUIRE(keeper.replace({latest}).empty());
  CHECK(keeper.states() == Strings{"music: - -"});
  keeper.follow_tables();
  CHECK(keeper.states() == Strings{"music: - -"});

  keeper.lambda().streams.set_stream_of_table("Music", table_stream);
  keeper.follow_tables();
  CHECK(keeper.states() == Strings{"music: Enabled first"});
  const std::string id = keeper.list().front().id;
  CHECK(keeper.mappings().find(id).value()->starting_position == api::StartingPosition::trim_horizon);
  keeper.follow_tables();
  CHECK(keeper.list().front().id == id);
  CHECK(keeper.mappings_left() == 1);
}

TEST_CASE("the trigger of a table that has its stream begins where it says") {
  Keeper keeper;
  keeper.lambda().streams.set_stream_of_table("Music", table_stream);
  Trigger latest = table_trigger();
  latest.position = dinette::deliveries::StartingPosition::latest;
  REQUIRE(keeper.replace({latest}).empty());
  const std::string id = keeper.list().front().id;
  CHECK(keeper.mappings().find(id).value()->starting_position == api::StartingPosition::latest);
  CHECK(keeper.mappings().progress_of(id).value().front().parts == Strings{"100"});
}

TEST_CASE("a table that is made again has a second mapping, and both end with the trigger") {
  Keeper keeper;
  keeper.lambda().streams.set_stream_of_table("Music", table_stream);
  REQUIRE(keeper.replace({table_trigger()}).empty());
  keeper.lambda().streams.set(second_stream, {{.id = "shardId-1"}});
  keeper.lambda().streams.set_stream_of_table("Music", second_stream);
  keeper.follow_tables();
  CHECK(keeper.states() == Strings{"music: Enabled second"});
  CHECK(keeper.mappings_left() == 2);
  REQUIRE(keeper.replace({}).empty());
  CHECK(keeper.list().empty());
  CHECK(keeper.mappings_left() == 0);
}

TEST_CASE("a mapping that was made before the server ended is taken for its trigger") {
  Keeper keeper;
  keeper.lambda().streams.set_stream_of_table("Music", table_stream);
  REQUIRE(keeper.replace({table_trigger()}).empty());
  const std::string id = keeper.list().front().id;
  auto noted = keeper.triggers().find("music").value().value();
  noted.settings.uuid.clear();
  noted.settings.event_source_arn.clear();
  REQUIRE(keeper.triggers().put(noted));
  keeper.follow_tables();
  CHECK(keeper.list().front().id == id);
  CHECK(keeper.mappings_left() == 1);
}

TEST_CASE("a trigger with other settings goes on with its mapping") {
  Keeper keeper;
  Trigger latest = trigger("one");
  latest.position = dinette::deliveries::StartingPosition::latest;
  REQUIRE(keeper.replace({latest}).empty());
  const std::string id = keeper.list().front().id;
  Trigger changed = trigger("one");
  changed.batch_size = 7;
  changed.enabled = false;
  REQUIRE(keeper.replace({changed}).empty());
  CHECK(keeper.states() == Strings{"one: Disabled first"});
  CHECK(keeper.list().front().id == id);
  const auto mapping = *keeper.mappings().find(id).value();
  CHECK(mapping.batch_size == 7);
  CHECK(mapping.starting_position == api::StartingPosition::latest);
  CHECK(keeper.changed() == Strings{id, id});
}

TEST_CASE("a trigger of another function or stream is another trigger") {
  Keeper keeper;
  REQUIRE(keeper.replace({trigger("one")}).empty());
  const std::string id = keeper.list().front().id;
  SECTION("function") {
    REQUIRE(keeper.replace({trigger("one", "other")}).empty());
  }
  SECTION("stream") {
    Trigger elsewhere = trigger("one");
    elsewhere.stream = kinesis_stream;
    REQUIRE(keeper.replace({elsewhere}).empty());
  }
  CHECK(keeper.list().front().id != id);
  CHECK(keeper.mappings_left() == 1);
}

TEST_CASE("triggers that cannot all be made change nothing") {
  Keeper keeper;
  const std::string of_api = keeper.lambda().map("taken");
  REQUIRE(keeper.replace({trigger("one")}).empty());
  keeper.changed().clear();
  Trigger filtered = trigger("two", "other");
  Trigger gone = trigger("two", "other");
  gone.stream = second_stream;

  CHECK(keeper.replace({trigger("two", "other"), trigger("two", "third")}) ==
        "The trigger 'two': there is another one of that name.");
  for (const Strings& patterns : {Strings{"[1]"}, Strings{R"({"a": 1})"}, Strings(6, "{}")}) {
    filtered.filters = patterns;
    CHECK(keeper.replace({filtered}) ==
          "The trigger 'two': its filters are at most five patterns, JSON objects whose values are lists.");
  }
  CHECK(keeper.replace({gone}) == "The trigger 'two': there is no stream " + second_stream + ".");
  CHECK(keeper.replace({trigger("two", "taken")}) ==
        "The trigger 'two': there is an event source mapping of its function and " + table_stream + ": " +
            of_api + ".");
  CHECK(keeper.replace({trigger("two", "other"), trigger("three", "other")}) ==
        "The trigger 'three': 'two' calls the same function with that stream.");

  CHECK(keeper.states() == Strings{"one: Enabled first", ": Enabled first"});
  CHECK(keeper.changed().empty());
}

TEST_CASE("a trigger may take what one that ends has held") {
  Keeper keeper;
  REQUIRE(keeper.replace({trigger("one")}).empty());
  CHECK(keeper.replace({trigger("two")}).empty());
  CHECK(keeper.states() == Strings{"two: Enabled first"});
}

TEST_CASE("mappings of the API are listed, and no replacement ends them") {
  Keeper keeper;
  const std::string id = keeper.lambda().map("by-the-API");
  REQUIRE(keeper.replace({trigger("one")}).empty());
  REQUIRE(keeper.replace({}).empty());
  const auto states = keeper.list();
  REQUIRE(states.size() == 1);
  CHECK(states.front().of_api);
  CHECK(states.front().id == id);
}

TEST_CASE("the function of a trigger is at its URL, or its command") {
  Keeper keeper;
  Trigger at_url = trigger("url", "");
  at_url.url = "http://127.0.0.1:9000/hook";
  Trigger program = trigger("command", "");
  program.command = {"node", "handler.js"};
  Trigger named = trigger("named");
  REQUIRE(keeper.replace({at_url, program, named}).empty());
  const auto states = keeper.list();
  CHECK(keeper.place_of(states[0].id) == "http://127.0.0.1:9000/hook");
  CHECK(keeper.place_of(states[1].id) == "node handler.js");
  CHECK(keeper.place_of(states[2].id).empty());
  CHECK(states[1].trigger.command == program.command);
}

TEST_CASE("triggers keep their order") {
  Keeper keeper;
  REQUIRE(keeper.replace({trigger("z", "1"), trigger("a", "2"), trigger("m", "3")}).empty());
  CHECK(keeper.states() == Strings{"z: Enabled first", "a: Enabled first", "m: Enabled first"});
  REQUIRE(keeper.replace({trigger("m", "3"), trigger("z", "1")}).empty());
  CHECK(keeper.states() == Strings{"m: Enabled first", "z: Enabled first"});
}

}  // namespace test::lambda::trigger_keeper_test
