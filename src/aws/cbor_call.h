#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dinette/aws/output_shape.h"
#include "dinette/aws/smithy.h"
#include "dinette/http/message.h"

#include "aws/cbor.h"

namespace dinette::aws {

/// A request in CBOR and its response, of Smithy RPC v2 or with X-Amz-Target. The service reads the one and
/// writes the other as JSON, and keeps both texts for its log and lists.
class CborCall {
 public:
  /// Returns null if the request is not in CBOR. `content_type`: the value of its header. `services`: those
  /// of this port, which must outlive the object, like the request.
  static std::unique_ptr<CborCall> of(const http::Request& request, std::string_view content_type,
                                      std::span<const SmithyService> services);

  /// Of the response; of static storage.
  std::string_view content_type() const { return content_type_; }
  bool is_smithy() const { return is_smithy_; }

  /// Returns what X-Amz-Target would say, if the path says it.
  std::optional<std::string_view> target_in_path() const {
    return is_smithy_ ? std::optional<std::string_view>(target_) : std::nullopt;
  }

  /// Returns what is wrong with the headers, as a message for the client; empty if nothing is.
  std::string_view wrong_headers() const { return wrong_headers_; }

  /// Reads the body of the request, which may be empty, as JSON. Returns what is wrong with it.
  std::optional<CborError> read(std::string_view body, std::span<const std::string_view> blob_members,
                                std::size_t most_json_bytes);

  /// Replaces the body of a response, which is JSON, by its CBOR. `shape` may be null.
  void write(http::Response& response, const OutputShape* shape, bool is_error);

  /// Both bodies as JSON; empty before they have been read and written, and for what is not CBOR.
  std::string_view request() const { return request_; }
  std::string_view reply() const { return reply_; }

 private:
  CborCall(std::string_view content_type, CborTime time) : content_type_(content_type), time_(time) {}
  static std::unique_ptr<CborCall> of_smithy(const http::Request& request, const SmithyPath& path,
                                             std::span<const SmithyService> services);

  const std::string_view content_type_;
  const CborTime time_;
  bool is_smithy_ = false;
  std::string target_;
  std::string_view name_space_;  ///< of the service in the path; empty: this port has no such service
  std::string_view wrong_headers_;
  std::string request_;
  std::string reply_;
};

}  // namespace dinette::aws
