#include "dynamodb/wire/cors.h"

#include <algorithm>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

namespace dinette::dynamodb::wire {

Cors::Cors(std::string_view origins) {
  if (origins == "*") return;
  boost::algorithm::split(origins_, origins, boost::algorithm::is_any_of(","));
  for (std::string& origin : origins_) boost::algorithm::trim(origin);
}

std::string_view Cors::allowed(std::string_view origin) const {
  if (origins_.empty()) return "*";
  return std::ranges::find(origins_, origin) != origins_.end() ? origin : std::string_view();
}

bool Cors::answer_preflight(const net::HttpRequest& request, net::HttpReply& reply) const {
  if (request.method != "OPTIONS") return false;
  const auto origin = request.header("Origin");
  if (!origin) return false;
  const std::string_view allow = allowed(*origin);
  if (allow.empty()) return true;
  reply.add_header("Access-Control-Allow-Origin", allow);
  reply.add_header("Access-Control-Allow-Methods",
                   request.header("Access-Control-Request-Method").value_or("POST"));
  if (const auto headers = request.header("Access-Control-Request-Headers")) {
    reply.add_header("Access-Control-Allow-Headers", *headers);
  }
  reply.add_header("Access-Control-Max-Age", "172800");
  return true;
}

void Cors::add_headers(const net::HttpRequest& request, net::HttpReply& reply) const {
  const auto origin = request.header("Origin");
  if (!origin) return;
  const std::string_view allow = allowed(*origin);
  if (allow.empty()) return;
  reply.add_header("Access-Control-Allow-Origin", allow);
  reply.add_header("Access-Control-Expose-Headers",
                   "x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,x-amzn-ErrorMessage,Date");
}

}  // namespace dinette::dynamodb::wire
