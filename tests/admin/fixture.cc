#include "admin/fixture.h"

#include <memory>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/store/key_codec.h"

namespace dinette::admin {
namespace {

std::shared_ptr<const store::Schema> decode(std::string_view) {
  return std::make_shared<const store::Schema>();
}

tenancy::WorldsOptions options_of_worlds(std::shared_ptr<kv::Engines> engines) {
  tenancy::WorldsOptions options;
  options.engines = std::move(engines);
  options.faces = {{store::Face{Fixture::face_id, &decode}}};
  options.run_jobs = false;
  return options;
}

std::string key_of(std::string_view text) {
  std::string key;
  store::append_bytes(key, text);
  return key;
}

}  // namespace

Fixture::Fixture(ApiOptions options, std::shared_ptr<kv::Engines> engines)
    : worlds(options_of_worlds(std::move(engines)), real_clock, ids),
      api(std::move(options), worlds, real_clock) {}

Response Fixture::send(std::string_view method, std::string_view target, std::string_view body,
                       Headers headers, std::string_view remote) {
  std::vector<http::Header> lines;
  for (const auto& [name, value] : headers) lines.push_back({name, value});
  http::Response response;
  api.handle({.method = method, .target = target, .headers = lines, .body = body, .remote = remote},
             response);
  REQUIRE_FALSE(response.must_wait);
  return {response.status, response.headers, response.body};
}

TestJson Fixture::ok(std::string_view method, std::string_view target, std::string_view body) {
  const Response response = send(method, target, body);
  INFO(method << " " << target << " " << response.body);
  REQUIRE(response.status / 100 == 2);
  return response.json();
}

void Fixture::put(std::string_view world, std::string_view text, std::string_view key) {
  store::Store& store = worlds.pick(world).value()->store(face_id);
  store::TablePointer table = store.catalog().open("table").value();
  if (!table) table = store.catalog().create("table", "schema").value();
  const auto decide = [&](const kv::Value* old, store::RowChange& change) {
    change.row = store::RowChange::Row::put;
    change.value = kv::Value(text);
    const std::int64_t before = old == nullptr ? 0 : static_cast<std::int64_t>(old->size());
    change.count = {.rows = old == nullptr ? 1 : 0, .bytes = static_cast<std::int64_t>(text.size()) - before};
    return true;
  };
  REQUIRE(store.write(*table, key_of(key), decide).value().outcome == store::WriteOutcome::applied);
}

std::string Fixture::read(std::string_view world) {
  const auto found = worlds.find(world);
  if (!found) return "";
  store::Store& store = found->store(face_id);
  const store::TablePointer table = store.catalog().open("table").value();
  if (!table) return "";
  const auto row = store.read_row(*table, key_of("row")).value();
  return row ? std::string(row->view()) : "";
}

}  // namespace dinette::admin
