#include "lambda/fixture.h"

#include <algorithm>
#include <optional>

#include <catch2/catch.hpp>

#include "dinette/http/message.h"
#include "dinette/http/query_string.h"
#include "dinette/lambda/verify.h"

#include "lambda/request/context.h"
#include "support/engines.h"

namespace test::lambda {

using namespace dinette;

namespace {

constexpr std::string_view path = "/2015-03-31/event-source-mappings";
constexpr std::string_view path_of_tags = "/2017-03-31/tags/";

// 2026-10-10T12:00:25.299Z
constexpr base::TimePoint start{std::chrono::microseconds(1'791'633'625'299'000)};

tenancy::WorldsOptions worlds_of(std::shared_ptr<kv::Engine> engine) {
  tenancy::WorldsOptions options;
  options.engines = make_test_engines();
  options.default_engine = std::move(engine);
  options.faces = {dinette::lambda::world_face()};
  options.run_jobs = false;
  return options;
}

dinette::lambda::ServiceOptions with_sources(dinette::lambda::ServiceOptions options,
                                             dinette::lambda::StreamSources& sources) {
  options.sources = &sources;
  return options;
}

class FakeStream final : public deliveries::StreamSource {
 public:
  FakeStream(const FakeStreams& streams, std::string_view arn) : streams_(streams), arn_(arn) {}

  kv::Result<std::optional<std::vector<deliveries::Shard>>> shards() override {
    const auto known = streams_.shards_of(arn_);
    if (!known) return std::optional<std::vector<deliveries::Shard>>();
    std::vector<deliveries::Shard> shards;
    for (const FakeStreams::FakeShard& shard : *known) shards.push_back({shard.id, shard.parents});
    return std::optional(std::move(shards));
  }
  /// The place of a moment is its seconds since 1970.
  kv::Result<std::string> place_of(const std::string& shard, deliveries::StartingPosition position,
                                   base::TimePoint moment) override {
    if (position == deliveries::StartingPosition::at_timestamp) return std::to_string(seconds_of(moment));
    CHECK(position == deliveries::StartingPosition::latest);
    return find(shard).last_place;
  }
  kv::Result<deliveries::RecordPage> read(const std::string& shard, const std::string& /*after*/,
                                          std::size_t /*most*/, std::size_t /*most_bytes*/) override {
    return deliveries::RecordPage{.records = {}, .at_end = true, .closed = find(shard).closed};
  }

 private:
  static std::int64_t seconds_of(base::TimePoint moment) {
    return std::chrono::duration_cast<std::chrono::seconds>(moment.time_since_epoch()).count();
  }

  /// A shard that is gone is closed.
  FakeStreams::FakeShard find(const std::string& shard) const {
    const auto known = streams_.shards_of(arn_).value_or(FakeStreams::Shards());
    const auto found = std::ranges::find(known, shard, &FakeStreams::FakeShard::id);
    return found == known.end() ? FakeStreams::FakeShard{.id = shard, .closed = true} : *found;
  }

  const FakeStreams& streams_;
  const std::string arn_;
};

}  // namespace

FakeStreams::FakeStreams()
    : streams_{{table_stream, {{.id = "shardId-1", .last_place = "100"}, {.id = "shardId-2"}}},
               {kinesis_stream, {{.id = "shardId-000000000000", .last_place = "49"}}}} {}

kv::Result<std::unique_ptr<deliveries::StreamSource>> FakeStreams::open(tenancy::World& /*world*/,
                                                                        std::string_view name_space,
                                                                        std::string_view arn) {
  const std::lock_guard guard(mutex_);
  last_name_space_ = name_space;
  std::unique_ptr<deliveries::StreamSource> stream;
  if (streams_.contains(arn)) stream = std::make_unique<FakeStream>(*this, arn);
  return stream;
}

kv::Result<std::string> FakeStreams::stream_of_table(tenancy::World& /*world*/,
                                                     std::string_view /*name_space*/,
                                                     std::string_view table) {
  const std::lock_guard guard(mutex_);
  const auto found = tables_.find(table);
  return found == tables_.end() ? std::string() : found->second;
}

void FakeStreams::set(const std::string& arn, Shards shards) {
  const std::lock_guard guard(mutex_);
  streams_[arn] = std::move(shards);
}

void FakeStreams::remove(const std::string& arn) {
  const std::lock_guard guard(mutex_);
  streams_.erase(arn);
}

void FakeStreams::set_stream_of_table(const std::string& table, const std::string& arn) {
  const std::lock_guard guard(mutex_);
  tables_[table] = arn;
}

std::optional<FakeStreams::Shards> FakeStreams::shards_of(std::string_view arn) const {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(arn);
  return found == streams_.end() ? std::nullopt : std::optional(found->second);
}

std::string FakeStreams::last_name_space() const {
  const std::lock_guard guard(mutex_);
  return last_name_space_;
}

std::string Reply::refusal() const {
  if (error.empty()) return std::to_string(status) + " " + body;
  const Json members = json();
  std::string text = std::to_string(status) + " " + error;
  if (members.contains("Type")) text += " " + members.at("Type").get<std::string>();
  for (const char* key : {"message", "Message"}) {
    if (members.contains(key))
      text += std::string(key[0] == 'M' ? ": M " : ": ") + members.at(key).get<std::string>();
  }
  return text;
}

Lambda::Lambda(dinette::lambda::ServiceOptions options, std::shared_ptr<kv::Engine> engine)
    : clock_(start),
      worlds_(worlds_of(std::move(engine)), clock_, ids_),
      service_(with_sources(std::move(options), streams), worlds_, clock_, ids_) {}

Lambda::~Lambda() {
  for (const tenancy::ListedWorld& world : worlds_.list()) {
    const auto fail = [](const std::string& fault) { FAIL_CHECK(fault); };
    const auto checked = dinette::lambda::verify_mappings(*world.world, fail);
    if (!checked) fail(checked.error().message);
  }
}

Reply Lambda::send(std::string_view method, std::string_view target, std::string_view body,
                   const Headers& headers, bool may_wait) {
  std::vector<http::Header> views{{"Host", "localhost:8000"}};
  for (const auto& [name, value] : headers) views.push_back({name, value});
  const http::Request request{.method = method,
                              .target = target,
                              .headers = views,
                              .body = body,
                              .remote = "test",
                              .may_wait = may_wait};
  CHECK(dinette::lambda::Service::owns(request));
  http::Response response;
  service_.handle(request, response);
  constexpr std::string_view mark = "x-amzn-ErrorType: ";
  std::string error;
  if (const auto at = response.headers.find(mark); at != std::string::npos)
    error = response.headers.substr(at + mark.size(), response.headers.find('\r', at) - at - mark.size());
  return {response.status, error, std::string(response.content_type), response.body, response.must_wait};
}

Reply Lambda::create(const Json& body, const Headers& headers) {
  return send("POST", path, body.dump(), headers);
}

Reply Lambda::get(const std::string& uuid, const Headers& headers) {
  return send("GET", std::string(path) + "/" + uuid, {}, headers);
}

Reply Lambda::update(const std::string& uuid, const Json& body) {
  return send("PUT", std::string(path) + "/" + uuid, body.dump());
}

Reply Lambda::remove(const std::string& uuid) {
  return send("DELETE", std::string(path) + "/" + uuid);
}

Reply Lambda::list(const std::string& query, const Headers& headers) {
  return send("GET", std::string(path) + (query.empty() ? "" : "?" + query), {}, headers);
}

Reply Lambda::tags(const std::string& arn) {
  return send("GET", std::string(path_of_tags) + http::percent_encode(arn));
}

Reply Lambda::tag(const std::string& arn, const Json& added) {
  return send("POST", std::string(path_of_tags) + http::percent_encode(arn), Json{{"Tags", added}}.dump());
}

Reply Lambda::untag(const std::string& arn, const std::vector<std::string>& keys) {
  std::string target = std::string(path_of_tags) + http::percent_encode(arn);
  for (const std::string& key : keys)
    target += (key == keys.front() ? "?tagKeys=" : "&tagKeys=") + http::percent_encode(key);
  return send("DELETE", target);
}

Reply Lambda::call(std::string_view operation, Json input) {
  if (operation == "CreateEventSourceMapping") return create(input);
  if (operation == "ListEventSourceMappings") {
    std::string query;
    for (const auto& [name, value] : input.items()) {
      const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      query += (query.empty() ? "" : "&") + name + "=" + http::percent_encode(text);
    }
    return list(query);
  }
  if (input.contains("Resource")) {
    const std::string resource = input.at("Resource");
    const Json keys = input.value("TagKeys", Json::array());
    if (operation == "UntagResource") return untag(resource, keys.get<std::vector<std::string>>());
    return operation == "ListTags" ? tags(resource) : tag(resource, input.at("Tags"));
  }
  const std::string uuid = input.at("UUID");
  input.erase("UUID");
  if (operation == "GetEventSourceMapping") return get(uuid);
  return operation == "UpdateEventSourceMapping" ? update(uuid, input) : remove(uuid);
}

std::string Lambda::map(const std::string& function, const std::string& stream, const Json& more) {
  const Reply reply = create(mapping_of(function, stream, more));
  INFO(reply.body);
  REQUIRE(reply.status == 202);
  return reply.json().at("UUID");
}

std::string Lambda::refusal(const Json& more) {
  return create(mapping_of("work", table_stream, more)).refusal();
}

void Lambda::advance(std::chrono::microseconds time) {
  clock_.advance(time);
  run_jobs();
}

void Lambda::run_jobs() {
  for (const tenancy::ListedWorld& one : worlds_.list()) one.world->jobs().run_due();
}

store::Store& Lambda::store() {
  return world().store(dinette::lambda::face_id);
}

Json mapping_of(const std::string& function, const std::string& stream, const Json& more) {
  Json request = {
      {"EventSourceArn", stream}, {"FunctionName", function}, {"StartingPosition", "TRIM_HORIZON"}};
  if (!more.is_null()) request.update(more);
  return request;
}

}  // namespace test::lambda
