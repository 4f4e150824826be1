#include "tablestore/fixture.h"

#include <algorithm>

#include "dinette/base/base64.h"
#include "dinette/base/md5.h"
#include "dinette/http/message.h"
#include "dinette/tablestore/verify.h"

#include "support/engines.h"
#include "tablestore/wire/dates.h"
#include "tablestore/wire/signatures.h"

namespace dinette::tablestore::test {
namespace {

// 2026-11-21T00:16:51Z
constexpr base::TimePoint start{std::chrono::seconds(1'795'220'211)};

tenancy::WorldsOptions worlds_of(std::shared_ptr<kv::Engine> engine) {
  tenancy::WorldsOptions options;
  options.engines = ::test::make_test_engines();
  options.default_engine = std::move(engine);
  options.faces = {world_face()};
  options.run_jobs = false;
  return options;
}

std::string base64_md5(std::string_view bytes) {
  const base::Md5Digest digest = base::md5(bytes);
  return base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace

std::string Reply::header(std::string_view name) const {
  const std::string begin = std::string(name) + ": ";
  const std::size_t found = headers.find(begin);
  if (found == std::string::npos) return {};
  const std::size_t value = found + begin.size();
  return headers.substr(value, headers.find('\r', value) - value);
}

std::string Reply::refusal() const {
  if (status == 200) return "200";
  const auto error = codec::decode_message<api::Error>(body);
  return error ? error->code + ": " + error->message.value_or("") : body;
}

Server::Server(ServiceOptions options, std::shared_ptr<kv::Engine> engine)
    : clock_(start),
      worlds_(worlds_of(std::move(engine)), clock_, ids_),
      service_(std::move(options), worlds_, clock_, ids_) {}

Server::~Server() {
  for (const tenancy::ListedWorld& world : worlds_.list()) {
    const auto fail = [](const std::string& fault) { FAIL_CHECK(fault); };
    const auto checked = verify_tables(*world.world, fail);
    if (!checked) fail(checked.error().message);
  }
}

Request Server::request(std::string_view operation, std::string_view body) const {
  return {.path = "/" + std::string(operation),
          .body = std::string(body),
          .headers = {{"x-ots-date", wire::format_date(clock_.now())},
                      {"x-ots-apiversion", "2015-12-31"},
                      {"x-ots-accesskeyid", "ak"},
                      {"x-ots-instancename", "inst"},
                      {"x-ots-contentmd5", base64_md5(body)}}};
}

void Server::sign(Request& request, std::string_view secret) {
  std::vector<http::Header> signed_headers;
  for (const auto& [name, value] : request.headers) {
    if (name.starts_with("x-ots-")) signed_headers.push_back({name, value});
  }
  const std::string text = wire::request_text(request.path, signed_headers);
  request.headers.emplace_back("x-ots-signature", wire::sign(secret, text));
}

Reply Server::send(const Request& request) {
  std::vector<http::Header> views{{"Host", "localhost:8000"}};
  for (const auto& [name, value] : request.headers) views.push_back({name, value});
  const http::Request sent{.method = request.method,
                           .target = request.path,
                           .headers = views,
                           .body = request.body,
                           .remote = "test",
                           .may_wait = request.may_wait};
  http::Response response;
  service_.handle(sent, response);
  return {response.status, std::string(response.content_type), response.headers, response.body,
          response.must_wait};
}

void Server::create(std::string_view name, std::vector<api::PrimaryKeySchema> key) {
  api::CreateTableRequest request = table_of(name);
  if (!key.empty()) request.table_meta.primary_key = std::move(key);
  ok<api::CreateTableResponse>("CreateTable", request);
}

void Server::advance(std::chrono::microseconds time) {
  clock_.advance(time);
  for (const tenancy::ListedWorld& one : worlds_.list()) one.world->jobs().run_due();
}

api::CreateTableRequest table_of(std::string_view name) {
  api::CreateTableRequest request;
  request.table_meta.table_name = name;
  request.table_meta.primary_key = {{.name = "gid", .type = api::PrimaryKeyType::integer},
                                    {.name = "uid", .type = api::PrimaryKeyType::string}};
  request.reserved_throughput.capacity_unit = {.read = 0, .write = 0};
  request.table_options = api::TableOptions{.time_to_live = -1, .max_versions = 1};
  return request;
}

}  // namespace dinette::tablestore::test
