#include "app/doctor/observed_server.h"

#include <chrono>
#include <ctime>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "dinette/dynamodb/local_call.h"
#include "dinette/http/client.h"
#include "dinette/tcp/address.h"
#include "dinette/tcp/self_signed.h"

namespace dinette::app {
namespace {

using http::ClientError;
using Json = nlohmann::json;

constexpr int ok_status = 200;
constexpr http::ClientLimits limits{.timeout = std::chrono::seconds(5)};
constexpr http::ClientLimits short_limits{.timeout = std::chrono::milliseconds(500)};

using Answer = base::Result<http::ClientResponse, ClientError>;

// Whatever listens at an address may answer anything: what is missing, or of another type, counts as empty.

Json read_json(const std::string& text) {
  return Json::parse(text, nullptr, false);
}

/// Returns null if the object has no such member, or is none.
const Json& member(const Json& object, const char* name) {
  static const Json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

const Json::array_t& elements_of(const Json& array) {
  static const Json::array_t none;
  return array.is_array() ? array.get_ref<const Json::array_t&>() : none;
}

std::string text_of(const Json& string) {
  return string.is_string() ? string.get<std::string>() : "";
}

std::uint64_t number_of(const Json& number) {
  return number.is_number_unsigned() ? number.get<std::uint64_t>() : 0;
}

bool is_true(const Json& boolean) {
  return boolean.is_boolean() && boolean.get<bool>();
}

std::optional<base::TimePoint> read_date(std::string_view text) {
  std::tm parts{};
  const char* const end = strptime(std::string(text).c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr) return std::nullopt;
  return base::TimePoint(std::chrono::seconds(timegm(&parts)));
}

Answer get(const tcp::Remote& server, const std::string& path, const http::ClientLimits& patience) {
  return http::fetch(server, {.method = "GET", .target = path}, patience);
}

Answer list_tables(const tcp::Remote& server, const aws::SigningIdentity& identity, const base::Clock& clock,
                   const http::ClientLimits& patience) {
  http::ClientRequest request{.method = "POST", .body = "{}"};
  request.headers = "Content-Type: application/x-amz-json-1.0\r\n";
  aws::sign_request(request, http::host_of(server), dynamodb::target_of("ListTables"), "dynamodb", identity,
                    clock.now());
  return http::fetch(server, request, patience);
}

/// Returns true if a server that was called without TLS serves it.
bool serves_tls(const tcp::Remote& server) {
  if (server.tls) return false;
  const tcp::Remote with_tls{.host = server.host, .port = server.port, .tls = true};
  return tcp::Stream::connect(with_tls, std::chrono::steady_clock::now() + limits.timeout).ok();
}

Contact contact_of(const tcp::Remote& server, ClientError error) {
  switch (error) {
    case ClientError::unreachable:
      return Contact::no_connection;
    case ClientError::no_tls:
      return Contact::wants_plain;
    case ClientError::untrusted:
      return Contact::untrusted;
    case ClientError::timed_out:
      return Contact::silent;
    default:
      break;
  }
  return serves_tls(server) ? Contact::wants_tls : Contact::no_http;
}

/// Returns the kind of a server that has answered ListTables.
ServerKind kind_of(const tcp::Remote& server, const http::ClientResponse& listed,
                   const http::ClientLimits& patience) {
  // Both Dinette and LocalStack answer here.
  if (const auto health = get(server, "/_localstack/health", patience);
      health && health->status == ok_status) {
    const Json members = read_json(health->body);
    if (text_of(member(members, "edition")) == "dinette") return ServerKind::dinette;
    if (members.contains("services")) return ServerKind::localstack;
  }
  if (listed.header("Server").value_or("").starts_with("Jetty")) return ServerKind::dynamodb_local;
  if (listed.header("Server").value_or("").starts_with("Werkzeug")) return ServerKind::moto;
  const bool is_dynamodb = listed.body.find("\"TableNames\"") != std::string::npos ||
                           listed.body.find("com.amazon") != std::string::npos;
  return is_dynamodb ? ServerKind::other_dynamodb : ServerKind::no_dynamodb;
}

void read_worlds(ObservedServer& observed, const tcp::Remote& server) {
  const auto answer = get(server, "/_dinette/worlds", limits);
  if (!answer || answer->status != ok_status) return;
  const Json listed = read_json(answer->body);
  for (const Json& world : elements_of(member(listed, "worlds"))) {
    const std::string name = text_of(member(world, "name"));
    const bool fork = is_true(member(world, "fork"));
    const auto& regions = elements_of(member(world, "regions"));
    if (regions.empty()) observed.worlds.push_back({name, number_of(member(world, "tables")), fork});
    for (const Json& region : regions) {
      const std::string account = name == "default" ? "" : name;
      observed.worlds.push_back(
          {account + "/" + text_of(member(region, "name")), number_of(member(region, "tables")), fork});
    }
  }
}

void read_faults(ObservedServer& observed, const tcp::Remote& server) {
  const auto answer = get(server, "/_dinette/faults", limits);
  if (answer && answer->status == ok_status)
    observed.faults = elements_of(member(read_json(answer->body), "faults")).size();
}

bool connects(const tcp::Remote& server, const std::string& address) {
  const tcp::Remote there{.host = address, .port = server.port};
  return tcp::Stream::connect(there, std::chrono::steady_clock::now() + short_limits.timeout).ok();
}

void read_certificate(ObservedServer& observed, const tcp::Remote& server) {
  tcp::Remote any = server;
  any.verify = false;
  const auto stream = tcp::Stream::connect(any, std::chrono::steady_clock::now() + limits.timeout);
  if (!stream) return;
  const std::string certificate = stream->certificate();
  observed.certificate = {.self_signed = tcp::is_self_signed(certificate),
                          .for_host = tcp::is_for_host(certificate, server.host),
                          .for_localhost = tcp::is_for_host(certificate, "localhost"),
                          .expired = tcp::expiry_of(certificate).value_or(0) < std::time(nullptr)};
  const auto offered = get(any, "/_dinette/certificate.pem", limits);
  observed.offers_certificate = offered && offered->status == ok_status;
}

void read_listing(ObservedServer& observed, const http::ClientResponse& listed) {
  const Json members = read_json(listed.body);
  if (listed.status == ok_status) {
    observed.tables = elements_of(member(members, "TableNames")).size();
    return;
  }
  const std::string type = text_of(member(members, "__type"));
  observed.error_type = type.empty() ? listed.status_line : type.substr(type.find('#') + 1);
  const Json& message = member(members, "message");
  observed.error_message = text_of(message.is_string() ? message : member(members, "Message"));
}

}  // namespace

std::string name_of(ServerKind kind) {
  switch (kind) {
    case ServerKind::dinette:
      return "Dinette";
    case ServerKind::dynamodb_local:
      return "DynamoDB Local";
    case ServerKind::localstack:
      return "LocalStack";
    case ServerKind::moto:
      return "Moto";
    case ServerKind::other_dynamodb:
      return "another server that answers as DynamoDB, such as dynalite (or a Dinette with --no-admin)";
    case ServerKind::no_dynamodb:
      break;
  }
  return "a server that does not answer as DynamoDB";
}

ObservedServer observe(const tcp::Remote& server, const aws::SigningIdentity& identity,
                       const base::Clock& clock) {
  ObservedServer observed;
  for (std::string& address : tcp::addresses_of(server.host))
    observed.addresses.push_back({std::move(address)});
  if (observed.addresses.empty()) {
    observed.contact = Contact::unknown_host;
    return observed;
  }
  const Answer listed = list_tables(server, identity, clock, limits);
  if (observed.addresses.size() > 1) {
    for (ReachedAddress& one : observed.addresses) one.connects = connects(server, one.address);
  }
  if (!listed) {
    observed.contact = contact_of(server, listed.error());
    if (observed.contact == Contact::untrusted) read_certificate(observed, server);
    return observed;
  }
  observed.contact = Contact::answered;
  observed.date = read_date(listed->header("Date").value_or(""));
  observed.kind = kind_of(server, *listed, limits);
  // Some answer a request without TLS in HTTP, with an error.
  if (observed.kind == ServerKind::no_dynamodb && serves_tls(server)) observed.contact = Contact::wants_tls;
  read_listing(observed, *listed);
  if (observed.kind == ServerKind::dinette) {
    read_worlds(observed, server);
    read_faults(observed, server);
  }
  return observed;
}

std::optional<ServerKind> kind_on(const tcp::Remote& server) {
  const base::SystemClock clock;
  const Answer listed = list_tables(server, {"dinette", "dinette", "", "us-east-1"}, clock, short_limits);
  if (!listed) return std::nullopt;
  const ServerKind kind = kind_of(server, *listed, short_limits);
  return kind == ServerKind::no_dynamodb ? std::nullopt : std::optional(kind);
}

}  // namespace dinette::app
