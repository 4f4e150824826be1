#include "http/response_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "http/chunk_end.h"

namespace dinette::http {
namespace {

namespace beast_http = boost::beast::http;
using Error = boost::beast::error_code;
using ResponseParser = beast_http::response_parser<beast_http::string_body>;

std::string text_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

constexpr std::string_view beginning = "HTTP/1.";

ResponseState state_of(const Error& ec) {
  const bool large = ec == beast_http::error::header_limit || ec == beast_http::error::body_limit;
  return large ? ResponseState::too_large : ResponseState::not_http;
}

}  // namespace

class ResponseReader::Impl {
 public:
  Impl(const ClientLimits& limits, bool to_head) : limits_(limits), to_head_(to_head) { begin(); }

  ResponseState received(std::string_view bytes) {
    pending_.append(bytes);
    for (;;) {
      const ResponseState state = read();
      if (state != ResponseState::complete || !is_interim()) return state;
      begin();
    }
  }

  ResponseState ended() {
    if (!parser_->got_some()) return ResponseState::cut;
    Error ec;
    parser_->put_eof(ec);
    return ec ? ResponseState::cut : ResponseState::complete;
  }

  ClientResponse take() {
    auto message = parser_->release();
    ClientResponse response;
    response.status = static_cast<int>(message.result_int());
    response.status_line = message.version() == 10 ? "HTTP/1.0 " : "HTTP/1.1 ";
    response.status_line.append(std::to_string(response.status))
        .append(" ")
        .append(text_of(message.reason()));
    for (const auto& field : message)
      response.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
    response.body = std::move(message.body());
    return response;
  }

 private:
  void begin() {
    parser_.emplace();
    at_beginning_ = true;
    parser_->eager(true);
    parser_->skip(to_head_);
    parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
    parser_->body_limit(limits_.body_bytes);
  }

  bool is_interim() const { return parser_->get().result_int() / 100 == 1; }

  /// Returns true if the bytes are not HTTP. Such a server may be waiting for us, so it is detected early.
  bool begins_otherwise() const {
    return !beginning.starts_with(std::string_view(pending_).substr(0, beginning.size()));
  }

  ResponseState read() {
    if (at_beginning_ && begins_otherwise()) return ResponseState::not_http;
    while (!parser_->is_done()) {
      const bool waits = parser_->is_header_done() && parser_->chunked() && is_half_empty_body(pending_);
      if (pending_.empty() || waits) return ResponseState::need_bytes;
      Error ec;
      const std::size_t parsed = parser_->put(boost::asio::buffer(pending_), ec);
      pending_.erase(0, parsed);
      at_beginning_ = at_beginning_ && parsed == 0;
      if (ec == beast_http::error::need_more) return ResponseState::need_bytes;
      if (ec) return state_of(ec);
    }
    return ResponseState::complete;
  }

  const ClientLimits limits_;
  const bool to_head_;
  std::optional<ResponseParser> parser_;
  bool at_beginning_ = true;  ///< of a response
  std::string pending_;       ///< received but not yet parsed
};

ResponseReader::ResponseReader(const ClientLimits& limits, bool to_head)
    : impl_(std::make_unique<Impl>(limits, to_head)) {}
ResponseReader::~ResponseReader() = default;

ResponseState ResponseReader::received(std::string_view bytes) {
  return impl_->received(bytes);
}

ResponseState ResponseReader::ended() {
  return impl_->ended();
}

ClientResponse ResponseReader::take() {
  return impl_->take();
}

}  // namespace dinette::http
