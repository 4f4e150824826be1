#include "dinette/face/request_log.h"

#include <cstdint>
#include <string>

#include "dinette/base/utf8.h"
#include "dinette/http/trace_parent.h"

namespace dinette::face {

void RequestLog::log(const Answered& answered) const {
  const http::Response& response = answered.response;
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(answered.duration);
  const std::uint64_t reply_bytes = response.length.value_or(response.body.size());
  std::vector<base::LogField> fields(answered.what.begin(), answered.what.end());
  fields.emplace_back("status", response.status);
  if (!answered.error_name.empty()) fields.emplace_back("error", answered.error_name);
  // Not "message", which is the name that the line's own text has in JSON.
  const std::string message = base::shortened(answered.error_message, most_message_bytes);
  if (!message.empty()) fields.emplace_back("error_message", message);
  fields.emplace_back("microseconds", microseconds.count());
  fields.emplace_back("request_bytes", answered.request_bytes);
  fields.emplace_back("reply_bytes", reply_bytes);
  fields.emplace_back("remote", answered.request.remote);
  if (!answered.id.empty()) fields.emplace_back("id", answered.id);
  fields.insert(fields.end(), answered.more.begin(), answered.more.end());
  if (const auto trace = http::trace_id_of(answered.request)) fields.emplace_back("trace", *trace);
  base::log_fields(base::LogLevel::info, message_, fields);
}

}  // namespace dinette::face
