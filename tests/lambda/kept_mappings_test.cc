#include "lambda/mappings/kept_mappings.h"

#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/lambda/verify.h"

#include "lambda/api/mapping_transition.h"
#include "lambda/api/window_progress.h"
#include "lambda/fixture.h"

// What reads the streams of mappings builds on this (docs/service/triggers.md section 2).
namespace test::lambda::kept_mappings_test {
namespace {

using dinette::lambda::KeptMappings;
namespace api = dinette::lambda::api;
namespace aws = dinette::aws;
namespace kv = dinette::kv;
namespace store = dinette::store;
using Strings = std::vector<std::string>;

/// "shard: part part" of each shard.
Strings places(KeptMappings& kept, const std::string& uuid) {
  Strings all;
  const auto found = kept.progress_of(uuid).value();
  for (const api::MappingProgress& progress : found) {
    std::string text = progress.shard + ":";
    for (const std::string& part : progress.parts) text += " " + part;
    all.push_back(text);
  }
  return all;
}

}  // namespace

TEST_CASE("with LATEST, the place in each shard is fixed before the mapping is answered") {
  Lambda l;
  KeptMappings kept(l.store());
  const std::string latest = l.map("work", table_stream, {{"StartingPosition", "LATEST"}});
  CHECK(places(kept, latest) == Strings{"shardId-1: 100", "shardId-2: "});
  CHECK(places(kept, l.map("work", kinesis_stream)).empty());
}

TEST_CASE("progress is kept by mapping and shard, and erased with its mapping") {
  Lambda l;
  KeptMappings kept(l.store());
  const std::string uuid = l.map("work");
  const std::string other = l.map("other");
  const api::WindowProgress window{aws::Timestamp(10'000), aws::Timestamp(20'000), R"({"n":1})", true};
  CHECK(kept.keep_progress({uuid, "b", {"5", "7"}, {}, {}, {}}).value());
  CHECK(kept.keep_progress({uuid, "a", {"1"}, {}, {}, window}).value());
  CHECK(kept.keep_progress({other, "a", {"2"}, {}, {}, {}}).value());
  CHECK(kept.keep_progress({uuid, "b", {"6", "8"}, {}, {}, {}}).value());
  CHECK(places(kept, uuid) == Strings{"a: 1", "b: 6 8"});
  const auto read = kept.progress_of(uuid).value().front().window;
  REQUIRE(read);
  CHECK(read->begin == window.begin);
  CHECK(read->end == window.end);
  CHECK(read->state == window.state);
  CHECK(read->is_early);
  REQUIRE(kept.forget_progress(uuid, "a").ok());
  CHECK(places(kept, uuid) == Strings{"b: 6 8"});
  l.remove(uuid);
  CHECK(places(kept, uuid).empty());
  CHECK(places(kept, other) == Strings{"a: 2"});
}

TEST_CASE("nothing is kept of a mapping that is gone") {
  Lambda l;
  KeptMappings kept(l.store());
  const std::string uuid = l.map("work");
  l.remove(uuid);
  CHECK_FALSE(kept.keep_progress({uuid, "a", {"1"}, {}, {}, {}}).value());
  CHECK(places(kept, uuid).empty());
  CHECK(kept.remove(uuid).ok());
}

TEST_CASE("mappings are read in the order of their UUIDs, also after one that is gone") {
  Lambda l;
  KeptMappings kept(l.store());
  for (int i = 0; i < 5; ++i) l.map("work" + std::to_string(i));
  Strings uuids;
  const auto take = [&](const api::MappingRecord& mapping) {
    uuids.push_back(mapping.uuid);
    return uuids.size() < 3;
  };
  REQUIRE(kept.for_each("", take).ok());
  CHECK(uuids.size() == 3);
  CHECK(std::ranges::is_sorted(uuids));
  l.remove(uuids[1]);
  Strings rest;
  REQUIRE(kept.for_each(uuids[1],
                        [&](const api::MappingRecord& mapping) {
                          rest.push_back(mapping.uuid);
                          return true;
                        })
              .ok());
  CHECK(rest.size() == 3);
  CHECK(rest.front() == uuids[2]);
}

TEST_CASE("of several requests for the same function and stream, one wins") {
  Lambda l;
  constexpr int threads = 8;
  std::vector<std::thread> running;
  std::vector<Strings> created(threads);
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) {
        const Reply reply = l.create(mapping_of("work" + std::to_string(k)));
        if (reply.status == 202) created[i].push_back(reply.json().at("UUID"));
      }
    });
  }
  for (std::thread& one : running) one.join();
  std::size_t all = 0;
  for (const Strings& one : created) all += one.size();
  CHECK(all == 50);
}

TEST_CASE("functions that change hands concurrently have one mapping at a time") {
  Lambda l;
  const Strings uuids{l.map("a"), l.map("b"), l.map("c")};
  std::vector<std::thread> running;
  for (const std::string& uuid : uuids) {
    running.emplace_back([&l, &uuid] {
      for (int k = 0; k < 200; ++k)
        l.update(uuid, {{"FunctionName", std::string(1, static_cast<char>('a' + k % 5))}});
    });
  }
  for (std::thread& one : running) one.join();
  std::set<std::string> functions;
  const Json listed = l.list().json();
  for (const Json& mapping : listed.at("EventSourceMappings")) functions.insert(mapping.at("FunctionArn"));
  CHECK(functions.size() == 3);
}

TEST_CASE("what is damaged is found") {
  Lambda l;
  const std::string uuid = l.map("work");
  const auto faults = [&] {
    std::vector<std::string> found;
    REQUIRE(dinette::lambda::verify_mappings(l.world(), [&](std::string fault) {
              found.push_back(std::move(fault));
            }).ok());
    return found;
  };
  const auto put = [&](store::SpaceId space, const std::string& key, const char* value) {
    const store::WriteTarget target = store::WriteTarget::entry(space, key);
    const auto decide = [&](const store::Rows&, store::RowChanges changes) {
      changes[0].row = value == nullptr ? store::RowChange::Row::erase : store::RowChange::Row::put;
      if (value != nullptr) changes[0].value = kv::Value(value);
      return true;
    };
    REQUIRE(l.store().write(std::span(&target, 1), decide).ok());
  };
  CHECK(dinette::lambda::verify_mappings(l.world(), [](const std::string&) {}).value() == 1);
  CHECK(faults().empty());
  put(dinette::lambda::pairs_space, "f\ns", "none");
  put(dinette::lambda::mappings_space, "x", "{}");
  put(dinette::lambda::progress_space, "y", R"({"UUID":"y","Shard":"s","Parts":[]})");
  put(dinette::lambda::progress_space, "z\ns", R"({"UUID":"z","Shard":"s","Parts":[]})");
  CHECK(faults() ==
        Strings{"event source mapping x cannot be read",
                "a function and a stream have the event source mapping none, which is none of theirs",
                "the progress of an event source mapping cannot be read",
                "there is progress of the event source mapping z, which is gone"});
  for (const auto& [space, key] :
       std::vector<std::pair<store::SpaceId, std::string>>{{dinette::lambda::pairs_space, "f\ns"},
                                                           {dinette::lambda::mappings_space, "x"},
                                                           {dinette::lambda::progress_space, "y"},
                                                           {dinette::lambda::progress_space, "z\ns"}})
    put(space, key, nullptr);
  const std::string pair = dinette::lambda::pair_key(*KeptMappings(l.store()).find(uuid).value());
  put(dinette::lambda::pairs_space, pair, nullptr);
  CHECK(faults() == Strings{"event source mapping " + uuid + " is not found by its function and its stream"});
  put(dinette::lambda::pairs_space, pair, uuid.c_str());
}

}  // namespace test::lambda::kept_mappings_test
