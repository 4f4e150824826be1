#include "http/response_head.h"

#include <charconv>
#include <cstdint>

namespace dinette::http {
namespace {

std::string_view status_line(int status) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK\r\n";
    case 201:
      return "HTTP/1.1 201 Created\r\n";
    case 204:
      return "HTTP/1.1 204 No Content\r\n";
    case 206:
      return "HTTP/1.1 206 Partial Content\r\n";
    case 302:
      return "HTTP/1.1 302 Found\r\n";
    case 304:
      return "HTTP/1.1 304 Not Modified\r\n";
    case 308:
      return "HTTP/1.1 308 Permanent Redirect\r\n";
    case 400:
      return "HTTP/1.1 400 Bad Request\r\n";
    case 401:
      return "HTTP/1.1 401 Unauthorized\r\n";
    case 403:
      return "HTTP/1.1 403 Forbidden\r\n";
    case 404:
      return "HTTP/1.1 404 Not Found\r\n";
    case 405:
      return "HTTP/1.1 405 Method Not Allowed\r\n";
    case 408:
      return "HTTP/1.1 408 Request Timeout\r\n";
    case 409:
      return "HTTP/1.1 409 Conflict\r\n";
    case 412:
      return "HTTP/1.1 412 Precondition Failed\r\n";
    case 413:
      return "HTTP/1.1 413 Payload Too Large\r\n";
    case 416:
      return "HTTP/1.1 416 Range Not Satisfiable\r\n";
    case 431:
      return "HTTP/1.1 431 Request Header Fields Too Large\r\n";
    case 500:
      return "HTTP/1.1 500 Internal Server Error\r\n";
    case 501:
      return "HTTP/1.1 501 Not Implemented\r\n";
    case 503:
      return "HTTP/1.1 503 Service Unavailable\r\n";
    default:
      return {};
  }
}

void append_number(std::string& out, std::uint64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end.ptr);
}

}  // namespace

std::string_view DateLine::at(std::time_t now) {
  if (now == rendered_) return line_;
  // Not strftime, whose names depend on the locale.
  static constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[48];
  const std::size_t length = std::strftime(text, sizeof text, ", %d ??? %Y %H:%M:%S GMT\r\n", &utc);
  line_.assign("Date: ").append(days[utc.tm_wday]).append(text, length);
  line_.replace(line_.find("???"), 3, months[utc.tm_mon]);
  rendered_ = now;
  return line_;
}

void format_response_head(const Response& response, bool keep_alive, std::string_view date_line,
                          std::string& out) {
  const std::string_view known = status_line(response.status);
  if (!known.empty()) {
    out.assign(known);
  } else {
    out.assign("HTTP/1.1 ");
    append_number(out, static_cast<std::size_t>(response.status));
    out.append(" \r\n");  // the reason phrase may be empty, its space is required
  }
  out.append("Server: Server\r\n").append(date_line);
  if (!response.content_type.empty())
    out.append("Content-Type: ").append(response.content_type).append("\r\n");
  out.append("Content-Length: ");
  append_number(out, response.length.value_or(response.body.size()));
  out.append(keep_alive ? "\r\nConnection: keep-alive\r\n" : "\r\nConnection: close\r\n");
  out.append(response.headers).append("\r\n");
}

}  // namespace dinette::http
