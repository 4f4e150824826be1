#include "tablestore/wire/reply.h"

#include <array>
#include <span>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"
#include "dinette/base/md5.h"

#include "tablestore/api/messages.h"
#include "tablestore/wire/dates.h"
#include "tablestore/wire/signatures.h"

namespace dinette::tablestore::wire {
namespace {

constexpr std::string_view xml_type = "application/xml";

void append_hex(std::string& text, std::uint64_t bits, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    text += base::lower_hex_digits[(bits >> shift) & 15];
}

std::string base64_md5(std::string_view bytes) {
  const base::Md5Digest digest = base::md5(bytes);
  return base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

/// Appends text between tags, with what XML does not allow there as entities.
void append_element(std::string& xml, std::string_view name, std::string_view text) {
  xml.append("<").append(name).append(">");
  for (const char c : text) {
    if (c == '<')
      xml += "&lt;";
    else if (c == '>')
      xml += "&gt;";
    else if (c == '&')
      xml += "&amp;";
    else
      xml += c;
  }
  xml.append("</").append(name).append(">");
}

}  // namespace

std::string make_request_id(base::TimePoint arrival, base::Ids& ids) {
  const auto time = static_cast<std::uint64_t>(arrival.time_since_epoch().count());
  const std::uint64_t random = ids.random();
  std::string id;
  append_hex(id, time >> 32, 8);
  append_hex(id += '-', time >> 16, 4);
  append_hex(id += '-', time, 4);
  append_hex(id += '-', random >> 48, 4);
  append_hex(id += '-', random, 12);
  return id;
}

void write_error(const ApiError& error, http::Response& response) {
  response.status = error.status();
  response.body.clear();
  const api::Error message{.code = std::string(error.name()), .message = error.message};
  codec::append_message(response.body, message);
}

void write_unknown_operation(const ApiError& error, std::string_view id, http::Response& response) {
  response.status = error.status();
  response.content_type = xml_type;
  std::string xml = R"(<?xml version="1.0" encoding="UTF-8"?><Error>)";
  append_element(xml, "Code", error.name());
  append_element(xml, "Message", error.message);
  append_element(xml, "RequestID", id);
  append_element(xml, "HostID", base::base64_encode("dinette"));
  response.body = xml + "</Error>";
}

void add_headers(const ReplyHeaders& what, http::Response& response) {
  const std::string md5 = base64_md5(response.body);
  const std::string date = format_date(what.now);
  const std::array<http::Header, 4> headers{http::Header{"x-ots-contentmd5", md5},
                                            {"x-ots-contenttype", "protocol buffer"},
                                            {"x-ots-date", date},
                                            {"x-ots-requestid", what.id}};
  for (const http::Header& header : headers) response.add_header(header.name, header.value);
  if (!what.signer) return;
  const std::string signature = sign(what.signer->key, reply_text(what.path, headers));
  response.add_header("Authorization", "OTS " + std::string(what.access_key) + ":" + signature);
}

}  // namespace dinette::tablestore::wire
