#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "lambda/fixture.h"
#include "lambda/mappings/kept_mappings.h"

// docs/service/triggers.md section 1.2.
namespace test::lambda::states_test {
namespace {

using namespace std::chrono_literals;

const std::string gone = "404 ResourceNotFoundException User: M The resource you requested does not exist.";

std::string state(const Reply& reply) {
  INFO(reply.body);
  REQUIRE(reply.error.empty());
  return reply.json().at("State");
}

dinette::lambda::ServiceOptions slow() {
  return {{.state_delay = 2s}};
}

}  // namespace

TEST_CASE("answers to changes say what is done, and the next Get says that it is done") {
  Lambda l;
  const Reply created = l.create(mapping_of("work"));
  const std::string uuid = created.json().at("UUID");
  CHECK(state(created) == "Creating");
  CHECK(state(l.get(uuid)) == "Enabled");
  CHECK(state(l.update(uuid, {{"Enabled", false}})) == "Disabling");
  CHECK(state(l.get(uuid)) == "Disabled");
  CHECK(state(l.update(uuid, {{"BatchSize", 5}})) == "Updating");
  CHECK(state(l.get(uuid)) == "Disabled");
  CHECK(state(l.update(uuid, {{"Enabled", true}, {"BatchSize", 6}})) == "Enabling");
  CHECK(state(l.get(uuid)) == "Enabled");
  const Reply removed = l.remove(uuid);
  CHECK(removed.status == 202);
  CHECK(state(removed) == "Deleting");
  CHECK(l.get(uuid).refusal() == gone);
}

TEST_CASE("a mapping that is disabled from the beginning is Creating, too") {
  Lambda l;
  const Reply created = l.create(mapping_of("work", table_stream, {{"Enabled", false}}));
  CHECK(state(created) == "Creating");
  CHECK(state(l.get(created.json().at("UUID"))) == "Disabled");
}

TEST_CASE("with a delay states last, and busy mappings are neither changed nor deleted") {
  Lambda l(slow());
  const auto refused = [](const char* verb) {
    return std::string("400 ResourceInUseException User: M Cannot ") + verb +
           " the event source mapping because it is in use.";
  };
  const std::string uuid = l.map("work");
  const auto is_busy_as = [&](const char* expected) {
    l.advance(1999ms);
    CHECK(state(l.get(uuid)) == expected);
    CHECK(l.update(uuid, {{"BatchSize", 5}}).refusal() == refused("update"));
    CHECK(l.remove(uuid).refusal() == refused("delete"));
    l.advance(1ms);
  };
  is_busy_as("Creating");
  CHECK(l.get(uuid).json().at("BatchSize") == 100);
  CHECK(state(l.update(uuid, {{"Enabled", false}})) == "Disabling");
  is_busy_as("Disabling");
  CHECK(state(l.get(uuid)) == "Disabled");
  CHECK(state(l.update(uuid, {{"BatchSize", 5}})) == "Updating");
  is_busy_as("Updating");
  CHECK(state(l.remove(uuid)) == "Deleting");
  is_busy_as("Deleting");
  CHECK(l.get(uuid).refusal() == gone);
}

TEST_CASE("a deleted mapping is gone by the clock, and its entry with the next job") {
  Lambda l(slow());
  const std::string uuid = l.map("work");
  l.advance(2s);
  CHECK(state(l.remove(uuid)) == "Deleting");
  l.clock().advance(2s);
  CHECK(l.get(uuid).refusal() == gone);
  CHECK(l.update(uuid, {{"BatchSize", 5}}).refusal() == gone);
  CHECK(l.list().json().at("EventSourceMappings").empty());
  dinette::lambda::KeptMappings kept(l.store());
  CHECK(kept.find(uuid).value());
  l.run_jobs();
  CHECK_FALSE(kept.find(uuid).value());
}

TEST_CASE("the function and the stream of a mapping that is being deleted are free at once") {
  Lambda l(slow());
  const std::string uuid = l.map("work");
  l.advance(2s);
  l.remove(uuid);
  const std::string other = l.map("work");
  l.advance(2s);
  CHECK(l.get(uuid).refusal() == gone);
  CHECK(state(l.get(other)) == "Enabled");
}

TEST_CASE("a deletion goes on in the copy of a world") {
  Lambda l(slow());
  const std::string uuid = l.map("work");
  l.advance(2s);
  l.remove(uuid);
  REQUIRE(l.worlds().add_fork("copy", l.world().image().value()).ok());
  dinette::lambda::KeptMappings kept(l.worlds().find("copy")->store(3));
  l.advance(1s);
  CHECK(kept.find(uuid).value());
  l.advance(1s);
  CHECK_FALSE(kept.find(uuid).value());
}

TEST_CASE("what polls mappings hears of each change, and erases those that are deleted") {
  std::vector<std::string> changed;
  dinette::lambda::ServiceOptions options;
  options.mappings_changed = [&](dinette::tenancy::World& world, std::string_view name_space,
                                 std::string_view uuid) {
    // It reads the mapping as it is after the change.
    const auto mapping = dinette::lambda::KeptMappings(world.store(3)).find(uuid).value();
    changed.push_back(std::string(name_space) + (mapping ? mapping->enabled ? "on" : "off" : "none"));
  };
  Lambda l(options);
  const std::string uuid = l.map("work");
  l.create(mapping_of("work"));
  l.update(uuid, {{"BatchSize", 0}});
  l.get(uuid);
  l.list();
  CHECK(changed == std::vector<std::string>{"on"});
  l.update(uuid, {{"Enabled", false}});
  CHECK(state(l.remove(uuid)) == "Deleting");
  CHECK(changed == std::vector<std::string>{"on", "off", "off"});
  l.advance(1h);
  CHECK(state(l.get(uuid)) == "Deleting");
  CHECK(l.remove(uuid).error == "ResourceInUseException");
  CHECK(l.list().json().at("EventSourceMappings").size() == 1);
  REQUIRE(dinette::lambda::KeptMappings(l.store()).remove(uuid).ok());
  CHECK(l.get(uuid).refusal() == gone);
}

TEST_CASE("LastModified has milliseconds while a mapping is busy, and whole minutes afterwards") {
  Lambda l(slow());
  const Reply created = l.create(mapping_of("work"));
  const std::string uuid = created.json().at("UUID");
  CHECK(created.json().at("LastModified") == 1791633625.299);
  CHECK(l.get(uuid).json().at("LastModified") == 1791633625.299);
  l.advance(2s);
  CHECK(l.get(uuid).json().at("LastModified") == 1791633600);
  l.advance(10min);
  CHECK(l.update(uuid, {{"BatchSize", 5}}).json().at("LastModified") == 1791634227.299);
  CHECK(l.remove(uuid).error == "ResourceInUseException");
}

TEST_CASE("the last result is kept until the next one, whatever else changes") {
  Lambda l;
  const std::string uuid = l.map("work");
  dinette::lambda::KeptMappings kept(l.store());
  const auto last_result = [&] { return l.get(uuid).json().at("LastProcessingResult"); };
  CHECK(last_result() == "No records processed");
  for (const char* result : {"OK", "PROBLEM: Function call failed"}) {
    REQUIRE(kept.keep_result(uuid, result).ok());
    CHECK(last_result() == result);
  }
  l.update(uuid, {{"FunctionName", "other"}});
  CHECK(last_result() == "PROBLEM: Function call failed");
  CHECK(l.get(uuid).json().at("LastModified") == 1791633600);
  CHECK(kept.keep_result("none", "OK").ok());
}

}  // namespace test::lambda::states_test
