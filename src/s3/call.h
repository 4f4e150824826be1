#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/http/message.h"
#include "dinette/http/query_string.h"
#include "dinette/objects/object_store.h"

#include "s3/address.h"
#include "s3/error.h"
#include "s3/uploads.h"

namespace dinette::s3 {

/// What all requests share.
struct State {
  objects::BucketStore& store;
  const base::Clock& clock;
  base::Ids& ids;
  Uploads uploads;
  std::mutex conditional_writes;  ///< held from the check of a condition to the write
};

/// One request and its response.
struct Call {
  State& state;
  const http::Request& request;
  http::Response& response;
  const http::QueryString query;
  const Address address;

  /// Returns the first value of that parameter; empty if there is none.
  std::string_view parameter(std::string_view name) const { return query.find(name).value_or(""); }
  bool has_parameter(std::string_view name) const { return query.find(name).has_value(); }
  std::string_view header(std::string_view name) const { return request.header(name).value_or(""); }

  /// Makes the response an XML document.
  void answer(std::string xml) const {
    response.content_type = "application/xml";
    response.body = std::move(xml);
  }
  void add_etag(std::string_view etag) const { response.add_header("ETag", quoted(etag)); }

  static std::string quoted(std::string_view etag) { return "\"" + std::string(etag) + "\""; }
};

}  // namespace dinette::s3
