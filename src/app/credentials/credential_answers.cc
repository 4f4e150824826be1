#include "app/credentials/credential_answers.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "dinette/aws/json.h"
#include "dinette/base/iso_time.h"
#include "dinette/s3/xml_reader.h"

namespace dinette::app {
namespace {

using aws::JsonElement;
using base::Failure;

/// Returns a member that is a string; empty if there is none.
std::string text_member(JsonElement json, std::string_view name) {
  std::string_view text;
  return json[name].get(text) ? std::string() : std::string(text);
}

/// Returns a JSON object; null if the text is none. Valid as long as the parser.
std::optional<JsonElement> read_object(simdjson::dom::parser& parser, std::string_view text) {
  JsonElement json;
  if (text.size() > most_credential_bytes || parser.parse(text.data(), text.size()).get(json))
    return std::nullopt;
  return json.is_object() ? std::optional(json) : std::nullopt;
}

/// Reads a time as SDKs write it: tokens of older ones end with "UTC".
std::optional<base::TimePoint> read_expiry(std::string text) {
  if (text.ends_with("UTC")) text.replace(text.size() - 3, 3, "Z");
  return base::parse_time(text);
}

bool is_header_value(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

/// Keys become parts of headers, so nothing else may be in them.
FoundCredentials checked_keys(Credentials found) {
  if (found.access_key.empty() || found.secret.empty())
    return Failure{std::string("returned no access key, or none with its secret")};
  if (!is_header_value(found.access_key) || !is_header_value(found.session_token))
    return Failure{std::string("returned keys with characters that keys do not have")};
  return found;
}

FoundCredentials with_expiry(Credentials found, const std::string& expiry) {
  if (!expiry.empty()) {
    found.expires = read_expiry(expiry);
    if (!found.expires) return Failure{std::string("returned keys whose time of expiry cannot be read")};
  }
  return checked_keys(std::move(found));
}

const s3::XmlElement* find_below(const s3::XmlElement& root, std::string_view name) {
  if (root.name == name) return &root;
  for (const s3::XmlElement& child : root.children) {
    if (const auto* const found = find_below(child, name)) return found;
  }
  return nullptr;
}

std::string printable(std::string text) {
  constexpr std::size_t most = 300;
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text.substr(0, most);
}

}  // namespace

FoundCredentials read_process_output(std::string_view text) {
  simdjson::dom::parser parser;
  const auto json = read_object(parser, text);
  if (!json) return Failure{std::string("did not print a JSON object")};
  std::int64_t version = 0;
  if ((*json)["Version"].get(version) || version != 1)
    return Failure{std::string(R"(did not print "Version": 1)")};
  return with_expiry({.access_key = text_member(*json, "AccessKeyId"),
                      .secret = text_member(*json, "SecretAccessKey"),
                      .session_token = text_member(*json, "SessionToken")},
                     text_member(*json, "Expiration"));
}

FoundCredentials read_metadata(std::string_view text) {
  simdjson::dom::parser parser;
  const auto json = read_object(parser, text);
  if (!json) return Failure{std::string("did not return a JSON object")};
  return with_expiry({.access_key = text_member(*json, "AccessKeyId"),
                      .secret = text_member(*json, "SecretAccessKey"),
                      .session_token = text_member(*json, "Token")},
                     text_member(*json, "Expiration"));
}

FoundCredentials read_role_credentials(std::string_view text) {
  simdjson::dom::parser parser;
  const auto json = read_object(parser, text);
  JsonElement role;
  if (!json || (*json)["roleCredentials"].get(role) || !role.is_object())
    return Failure{std::string("did not return credentials of a role")};
  Credentials found{.access_key = text_member(role, "accessKeyId"),
                    .secret = text_member(role, "secretAccessKey"),
                    .session_token = text_member(role, "sessionToken")};
  constexpr std::int64_t latest = base::latest_time.time_since_epoch() / std::chrono::milliseconds(1);
  std::int64_t milliseconds = 0;
  if (!role["expiration"].get(milliseconds))
    found.expires =
        base::TimePoint(std::chrono::milliseconds(std::clamp<std::int64_t>(milliseconds, 0, latest)));
  return checked_keys(std::move(found));
}

FoundCredentials read_assumed_role(std::string_view text) {
  if (text.size() > most_credential_bytes) return Failure{std::string("returned too long a response")};
  const auto root = s3::read_xml(text);
  const auto* const found = root ? find_below(*root, "Credentials") : nullptr;
  if (found == nullptr) return Failure{std::string("did not return credentials of a role")};
  return with_expiry({.access_key = std::string(found->text_of("AccessKeyId")),
                      .secret = std::string(found->text_of("SecretAccessKey")),
                      .session_token = std::string(found->text_of("SessionToken"))},
                     std::string(found->text_of("Expiration")));
}

std::string read_refusal(std::string_view text) {
  simdjson::dom::parser parser;
  std::string code;
  std::string message;
  if (const auto json = read_object(parser, text)) {
    code = text_member(*json, "__type");
    if (code.empty()) code = text_member(*json, "code");
    message = text_member(*json, "message");
  } else if (const auto root = text.size() > most_credential_bytes ? std::nullopt : s3::read_xml(text)) {
    if (const auto* const error = find_below(*root, "Error")) {
      code = error->text_of("Code");
      message = error->text_of("Message");
    }
  }
  if (code.empty()) return printable(message);
  return printable(message.empty() ? code : code + ": " + message);
}

base::Result<SignInToken, std::string> read_sign_in_token(std::string_view text) {
  simdjson::dom::parser parser;
  const auto json = read_object(parser, text);
  if (!json) return Failure{std::string("is not a JSON object")};
  SignInToken token{.token = text_member(*json, "accessToken")};
  const auto expires = read_expiry(text_member(*json, "expiresAt"));
  if (token.token.empty() || !is_header_value(token.token) || !expires)
    return Failure{std::string("has no token with a time of expiry")};
  token.expires = *expires;
  return token;
}

}  // namespace dinette::app
