#include "aws/pigeon_post.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "dinette/aws/constraints.h"
#include "dinette/aws/json_decoder.h"
#include "dinette/aws/json_writer.h"
#include "dinette/aws/shape.h"
#include "dinette/base/ids.h"

namespace test {

using namespace dinette;

namespace {

// What scripts/gen_api.py would write.

constexpr aws::Pattern lower_case{
    "[a-z]+", [](std::string_view text) {
      return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
    }};
constexpr std::array<std::string_view, 2> speeds{"SLOW", "FAST"};
constexpr aws::EnumValues speed_values{.accepted = speeds, .printed = speeds, .printed_older = {}};

constexpr aws::Shape pigeon_name{
    .name = "String", .kind = aws::Kind::string, .bounds = {.min = 3, .max = 10}, .pattern = &lower_case};
constexpr aws::Shape speed{.name = "Speed", .kind = aws::Kind::string, .values = &speed_values};
constexpr aws::Shape grams{.name = "Integer", .kind = aws::Kind::integer, .bounds = {.min = 1, .max = 75}};

constexpr aws::Shape note{.name = "Blob", .kind = aws::Kind::string};

constexpr std::array<aws::Member, 4> release_members{{
    {.name = "Name", .path = "name", .shape = &pigeon_name, .required = true},
    {.name = "Speed", .path = "speed", .shape = &speed},
    {.name = "Grams", .path = "grams", .shape = &grams, .form = aws::Form::generic},
    {.name = "Note", .path = "note", .shape = &note},
}};
constexpr std::array<std::uint8_t, 3> release_order{0, 1, 2};
constexpr aws::Operation release{
    .name = "ReleasePigeon", .input = release_members, .constraint_order = release_order};

constexpr std::array<aws::OutputMember, 2> flight_members{
    {{"Landing", &aws::timestamp_output}, {"Note", &aws::blob_output}}};
constexpr aws::OutputShape flight{.kind = aws::OutputShape::Kind::structure, .members = flight_members};
constexpr std::array<const aws::OutputShape*, 2> outputs{nullptr, &flight};
constexpr std::array<aws::SmithyService, 1> smithy{{{"PigeonPost_20300101", "com.example.pigeons"}}};
constexpr std::array<std::string_view, 1> blob_members{"Note"};

// Ascending.
constexpr std::array<std::string_view, 2> served{"PigeonPost_20300101.CountPigeons",
                                                 "PigeonPost_20300101.ReleasePigeon"};
constexpr std::array<std::string_view, 1> planned{"PigeonPost_20300101.RecallPigeon"};

constexpr aws::ErrorForm access_denied{"AccessDeniedException", "pigeons#AccessDeniedException", 400,
                                       "message"};
constexpr aws::ErrorForm incomplete{"IncompleteSignature", "pigeons#IncompleteSignature", 400, "message"};
constexpr aws::ErrorForm internal{"PigeonFault", "pigeons#PigeonFault", 503, "Message"};
constexpr aws::ErrorForm invalid{"InvalidSignature", "pigeons#InvalidSignature", 403, "message"};
constexpr aws::ErrorForm missing{"MissingToken", "pigeons#MissingToken", 403, "message"};
constexpr aws::ErrorForm malformed{"Illegible", "pigeons#Illegible", 400, "message"};
constexpr aws::ErrorForm unknown{"UnknownOperation", "pigeons#UnknownOperation", 404, "message"};
constexpr aws::ErrorForm unrecognized{"UnknownSender", "pigeons#UnknownSender", 403, "message"};
constexpr aws::ErrorForm validation{"BadFeathers", "pigeons#BadFeathers", 400, "message"};
constexpr aws::ErrorForm no_fly{"NoFlyException", "pigeons#NoFlyException", 409, "message"};

constexpr aws::JsonProtocol protocol{
    .signing_name = "pigeons",
    .content_type = "application/x-amz-json-1.1",
    .served = served,
    .planned = planned,
    .errors = {&access_denied, &incomplete, &internal, &invalid, &missing, &malformed, &unknown,
               &unrecognized, &validation},
    .limits = {.head = 1000, .body = 2000, .body_on_loop = 500, .uncompressed = 100},
    .smithy = smithy,
    .outputs = outputs,
    .blob_members = blob_members};

/// In milliseconds since 1970: on the morning of 2026-01-31.
constexpr std::int64_t every_landing = 1'769'850'900'250;

struct ReleaseInput {
  std::string name;
  std::optional<std::string> speed;
  std::optional<std::int32_t> grams;
  std::optional<std::string> note;
};

class Decoder : public aws::JsonDecoder<Decoder> {};

aws::Decoded decode(Decoder& decoder, aws::JsonElement json, ReleaseInput& out) {
  DINETTE_TRY(const aws::JsonObject fields, decoder.object(json));
  for (const auto field : fields) {
    if (field.key == "Name") DINETTE_CHECK(decoder.read(field.value, out.name));
    if (field.key == "Speed" && !field.value.is_null()) DINETTE_CHECK(decoder.read(field.value, out.speed));
    if (field.key == "Grams") DINETTE_CHECK(decoder.read(field.value, out.grams));
    if (field.key == "Note") DINETTE_CHECK(decoder.read(field.value, out.note));
  }
  return {};
}

aws::Outcome refuse(http::Response& response, const aws::ErrorForm& form, std::string_view message,
                    std::span<const aws::ErrorMember> members = {}) {
  response.body.clear();
  aws::append_error(response.body, form, message, members);
  return {.error = &form};
}

aws::Outcome fly(const ReleaseInput& input, int& released, http::Response& response) {
  if (input.name == "dodo") {
    const aws::ErrorMember since{"ExtinctSince", "1662"};
    return refuse(response, no_fly, "A dodo does not fly", {&since, 1});
  }
  if (input.name == "phoenix") throw std::runtime_error("it burns");
  ++released;
  aws::JsonWriter json(response.body);
  json.begin_object();
  json.key("Minutes");
  json.integer((input.speed == "FAST" ? 10 : 60) + input.grams.value_or(0));
  if (input.note) {
    json.key("Landing");
    json.timestamp(every_landing);
    json.key("Note");
    json.string(*input.note);
  }
  json.end_object();
  return {};
}

tenancy::WorldsOptions without_jobs() {
  tenancy::WorldsOptions options;
  options.run_jobs = false;
  return options;
}

}  // namespace

PigeonPost::PigeonPost(aws::JsonServiceOptions options, const base::Clock& clock)
    : worlds_(without_jobs(), clock, ids_),
      service_(protocol, std::move(options), *this, tenancy::Tenants(worlds_), clock, ids_) {}

aws::Outcome PigeonPost::run(const aws::JsonRequest& request, http::Response& response) {
  if (request.operation == 0) {
    response.body = R"({"Account":")" + request.caller.account + R"(","Region":")" + request.caller.region +
                    R"(","Released":)" + std::to_string(released_) + "}";
    return {};
  }
  ReleaseInput input;
  if (const auto decoded = Decoder().read(request.body.json, input); !decoded)
    return refuse(response, malformed, decoded.error().message);
  const auto message = aws::check_constraints(release, request.body.json.get_object().value_unsafe(),
                                              aws::Generation::current, protocol.limits.body);
  if (message) return refuse(response, validation, *message);
  return fly(input, released_, response);
}

void PigeonPost::answer_health(http::Response& response) const {
  response.body = "coo";
}

PigeonPost::Reply PigeonPost::send(std::string_view method, std::string_view target, const Headers& headers,
                                   std::string_view body, bool may_wait) {
  std::vector<http::Header> views;
  for (const auto& [name, value] : headers) views.push_back({name, value});
  http::Response response;
  service_.handle({.method = method,
                   .target = target,
                   .headers = views,
                   .body = body,
                   .remote = "test",
                   .may_wait = may_wait},
                  response);
  return {response.status, std::string(response.content_type), response.headers, response.body,
          response.must_wait};
}

PigeonPost::Reply PigeonPost::call(std::string_view operation, std::string_view body) {
  return send("POST", "/", {{"X-Amz-Target", "PigeonPost_20300101." + std::string(operation)}}, body);
}

PigeonPost::Reply PigeonPost::refused(int status) {
  http::Response response;
  response.status = status;
  response.body = "by the HTTP server";
  service_.refuse({.method = "", .target = "", .headers = {}, .body = "", .remote = "test"}, response);
  return {response.status, std::string(response.content_type), response.headers, response.body, false};
}

std::string PigeonPost::Reply::header(std::string_view name) const {
  const std::string mark = std::string(name) + ": ";
  const auto at = headers.find(mark);
  if (at == std::string::npos) return "";
  const auto begin = at + mark.size();
  return headers.substr(begin, headers.find("\r\n", begin) - begin);
}

}  // namespace test
