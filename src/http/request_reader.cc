#include "http/request_reader.h"

// Uses Beast as a parser only: no message object, and no field is copied.
#include <optional>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include "http/chunk_end.h"
#include "http/read_buffer.h"
#include "http/request_target.h"

namespace dinette::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using beast::error_code;

constexpr std::size_t first_room =
    4 * 1024;  ///< holds the headers of an SDK and an item of a kilobyte or two
constexpr std::size_t more_room = 1024;
constexpr std::size_t body_step = 64 * 1024;   ///< smaller bodies get all their memory immediately
constexpr std::size_t kept_bytes = 16 * 1024;  ///< larger buffers are released between requests

std::string_view view_of(beast::string_view text) {
  return {text.data(), text.size()};
}

/// Collects views of the headers and moves the content of chunks together.
class Parser final : public http::basic_parser<true> {
 public:
  Parser(Request& request, std::vector<Header>& headers, std::string_view input, const Limits& limits)
      : request_(request),
        headers_(headers),
        input_(input),
        max_headers_(limits.header_count),
        path_body_limit_(limits.path_body_bytes) {
    header_limit(static_cast<std::uint32_t>(limits.header_bytes));
    body_limit(limits.body_bytes);
    headers_.clear();
  }

  /// Returns 10 or 11.
  int version() const { return version_; }
  bool has_transfer_encoding() const { return has_transfer_encoding_; }
  bool expects_continue() const { return expects_continue_; }
  /// Checks that there is one Host, which HTTP/1.0 may omit (RFC 9112 section 3.2).
  bool has_valid_host() const { return hosts_ == 1 || (hosts_ == 0 && version_ < 11); }

  /// Decodes content of chunks to `to`, which must not lie after the bytes given to `put`.
  void decode_to(char* to) { decoded_ = to; }
  char* decoded_end() const { return decoded_; }

 private:
  void on_request_impl(http::verb, beast::string_view method, beast::string_view target, int version,
                       error_code& ec) override {
    request_.method = view_of(method);
    request_.target = view_of(target);
    version_ = version;
    if (is_absolute(request_.target)) [[unlikely]]
      take_absolute(ec);
    const bool has_path = request_.target.size() > 1 && request_.target[1] != '?';
    if (has_path && path_body_limit_ != 0) body_limit(path_body_limit_);
  }

  /// Makes the target that of a request to this server.
  void take_absolute(error_code& ec) {
    const auto absolute = read_absolute(request_.target);
    if (!absolute) {
      ec = http::error::bad_target;
      return;
    }
    authority_ = absolute->authority;
    request_.target = absolute->rest;
    if (absolute->rest.starts_with('/')) return;
    target_ = "/" + std::string(absolute->rest);
    request_.target = target_;
  }

  void on_field_impl(http::field field, beast::string_view name, beast::string_view value,
                     error_code& ec) override {
    if (is_header_done()) return;  // trailers are ignored
    if (headers_.size() == max_headers_) {
      ec = http::error::header_limit;
      return;
    }
    if (folded(name, value)) {
      ec = http::error::bad_value;
      return;
    }
    if (field == http::field::host) ++hosts_;
    const bool replaced = field == http::field::host && !authority_.empty();
    headers_.push_back({view_of(name), replaced ? authority_ : view_of(value)});
    if (field == http::field::transfer_encoding) has_transfer_encoding_ = true;
    if (field == http::field::expect) expects_continue_ = beast::iequals(value, "100-continue");
  }

  /// RFC 9112 section 5.2 lets a server refuse folded values. If the value begins in the first line, the
  /// parser unfolds it into a buffer of its own; otherwise a line end precedes the value.
  bool folded(beast::string_view name, beast::string_view value) const {
    const char* const colon = name.data() + name.size();
    if (!value.empty() && value.data() > colon && value.data() - colon <= 2) return false;  // ": ", like most
    const char* const input_end = input_.data() + input_.size();
    if (!value.empty() && (value.data() < input_.data() || value.data() >= input_end)) return true;
    const char* const end = value.empty() ? input_end : value.data();
    const std::string_view between(colon, static_cast<std::size_t>(end - colon));
    const std::size_t line_end = between.find("\r\n");
    if (line_end == std::string_view::npos) return false;
    return !value.empty() || between.substr(line_end + 2).starts_with(' ') ||
           between.substr(line_end + 2).starts_with('\t');
  }

  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view piece, error_code&) override {
    std::memmove(decoded_, piece.data(), piece.size());
    decoded_ += piece.size();
    return piece.size();
  }

  void on_response_impl(int, beast::string_view, int, error_code&) override {}
  void on_header_impl(error_code&) override {
    if (hosts_ == 0 && !authority_.empty()) headers_.push_back({"Host", authority_});
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(beast::string_view body, error_code&) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t, beast::string_view, error_code&) override {}
  void on_finish_impl(error_code&) override {}

  Request& request_;
  std::vector<Header>& headers_;
  std::string_view input_;
  std::size_t max_headers_;
  std::size_t path_body_limit_;
  std::string_view authority_;  ///< of a target in absolute form; empty for others
  std::string target_;          ///< of one without a path
  char* decoded_ = nullptr;
  int version_ = 11;
  int hosts_ = 0;
  bool has_transfer_encoding_ = false;
  bool expects_continue_ = false;
};

Refusal refusal_of(const error_code& ec) {
  if (ec == http::error::header_limit) return Refusal::header_too_large;
  if (ec == http::error::body_limit) return Refusal::body_too_large;
  return Refusal::malformed;
}

/// Returns true if the bytes begin as a TLS handshake does: the content type, and the major version that all
/// versions send (RFC 8446 section 5.1). No method of HTTP has such bytes.
bool is_tls(std::string_view bytes) {
  return bytes.starts_with("\x16\x03");
}

/// Returns true if the bytes begin as a connection of HTTP/2 does (RFC 9113 section 3.4).
bool is_http2(std::string_view bytes) {
  return bytes.starts_with("PRI * HTTP/2");
}

/// The same for a head, which the bytes that cannot be parsed begin with.
Refusal refusal_of(std::string_view bytes, const error_code& ec) {
  if (is_tls(bytes)) return Refusal::tls_to_plain;
  return is_http2(bytes) ? Refusal::http2 : refusal_of(ec);
}

}  // namespace

class RequestReader::Impl {
 public:
  explicit Impl(const Limits& limits) : limits_(limits) {}

  std::span<char> room() {
    switch (phase_) {
      case Phase::sized_body: {
        // Grows geometrically: a client that announces much and sends little gets little memory. Asks for no
        // more than the body, since pipelined requests would fill its large buffer.
        const std::size_t missing = head_size_ + body_size_ - buffer_.size();
        return buffer_.room(std::min(missing, std::max(body_step, buffer_.size())), missing, missing);
      }
      case Phase::chunked_body:
        return buffer_.room(body_step, body_step, limits_.body_bytes);
      default:
        return buffer_.room(buffer_.empty() ? first_room : more_room, kept_bytes, limits_.header_bytes);
    }
  }

  ReadState received(std::size_t n) {
    buffer_.commit(n);
    return resume();
  }

  ReadState resume() {
    switch (phase_) {
      case Phase::head:
        return read_head();
      case Phase::sized_body:
        return read_sized_body();
      case Phase::chunked_body:
        return read_chunks();
      case Phase::complete:
        return ReadState::complete;
      case Phase::refused:
        break;
    }
    return ReadState::refused;
  }

  ReadState next() {
    buffer_.consume(head_size_ + body_size_);
    buffer_.shrink(kept_bytes);
    phase_ = Phase::head;
    scanned_ = 0;
    past_empty_line_ = false;
    return resume();
  }

  Request& request() { return request_; }
  Request refused_request() {
    // A body in chunks may have moved the bytes of the head.
    if (buffer_.base() != parsed_base_) static_cast<void>(parse_head());
    Request refused;
    refused.method = request_.method;
    refused.target = request_.target;
    return refused;
  }
  bool keep_alive() const { return keep_alive_; }
  bool started() const { return phase_ != Phase::head || !buffer_.empty(); }
  bool head_complete() const { return phase_ != Phase::head; }
  std::size_t memory() const { return buffer_.capacity(); }
  Refusal refusal() const { return refusal_; }

  void abandon() {
    buffer_.clear();
    phase_ = Phase::refused;
  }

 private:
  enum class Phase { head, sized_body, chunked_body, complete, refused };

  ReadState refuse(Refusal refusal) {
    refusal_ = refusal;
    phase_ = Phase::refused;
    return ReadState::refused;
  }

  /// Parses the head from scratch, so that the views of the request point to the current place of the bytes.
  error_code parse_head() {
    parser_.emplace(request_, headers_, buffer_.view(), limits_);
    error_code ec;
    head_size_ = parser_->put(asio::const_buffer(buffer_.base(), buffer_.size()), ec);
    parsed_base_ = buffer_.base();
    return ec;
  }

  /// Skips an empty line before a request (RFC 9112 section 2.2). Returns false if only half of it has
  /// arrived.
  bool skip_empty_line() {
    if (past_empty_line_) return true;
    if (buffer_.view() == "\r") return false;
    past_empty_line_ = !buffer_.empty();
    if (buffer_.view().starts_with("\r\n")) buffer_.consume(2);
    return true;
  }

  ReadState read_head() {
    if (!skip_empty_line() || buffer_.empty()) return ReadState::need_bytes;
    // Checks line by line whether a head is complete or already wrong.
    const std::string_view fresh = buffer_.view().substr(scanned_);
    const bool worth_a_look = scanned_ == 0 || fresh.find('\n') != std::string_view::npos;
    scanned_ = buffer_.size();
    if (worth_a_look) {
      const error_code ec = parse_head();
      if (!ec) return begin_body();
      if (ec != http::error::need_more) return refuse(refusal_of(buffer_.view(), ec));
    }
    if (buffer_.size() > limits_.header_bytes) return refuse(Refusal::header_too_large);
    return ReadState::need_bytes;
  }

  ReadState begin_body() {
    if (head_size_ > limits_.header_bytes) return refuse(Refusal::header_too_large);
    if (!parser_->has_valid_host()) return refuse(Refusal::malformed);
    keep_alive_ = parser_->keep_alive();
    const bool chunked = parser_->chunked();
    // The end of such a body cannot be determined safely (RFC 9112 section 6.1).
    if (parser_->has_transfer_encoding() && (!chunked || parser_->version() < 11))
      return refuse(Refusal::malformed);
    body_size_ = chunked ? 0 : static_cast<std::size_t>(parser_->content_length().value_or(0));
    phase_ = chunked ? Phase::chunked_body : Phase::sized_body;
    if (chunked) parser_->eager(true);
    const bool waits = parser_->expects_continue() && parser_->version() >= 11;
    const ReadState state = resume();
    return waits && state == ReadState::need_bytes ? ReadState::need_continue : state;
  }

  ReadState read_sized_body() {
    return buffer_.size() < head_size_ + body_size_ ? ReadState::need_bytes : finish();
  }

  /// Decodes in place: head, decoded body, bytes not yet decoded.
  ReadState read_chunks() {
    const std::size_t decoded_end = head_size_ + body_size_;
    const std::size_t waiting = buffer_.size() - decoded_end;
    if (waiting == 0 || is_half_empty_body(buffer_.view().substr(decoded_end))) return ReadState::need_bytes;
    char* const tail = buffer_.base() + decoded_end;
    parser_->decode_to(tail);
    error_code ec;
    const std::size_t taken = parser_->put(asio::const_buffer(tail, waiting), ec);
    const auto decoded = static_cast<std::size_t>(parser_->decoded_end() - tail);
    buffer_.erase(decoded_end + decoded, taken - decoded);
    body_size_ += decoded;
    if (ec && ec != http::error::need_more) return refuse(refusal_of(ec));
    if (parser_->is_done()) return finish();
    // An incomplete chunk header or trailer is waiting.
    if (waiting - taken > limits_.header_bytes) return refuse(Refusal::header_too_large);
    return ReadState::need_bytes;
  }

  ReadState finish() {
    if (buffer_.base() != parsed_base_ && parse_head()) return refuse(Refusal::malformed);
    request_.headers = headers_;
    request_.body = buffer_.view().substr(head_size_, body_size_);
    phase_ = Phase::complete;
    return ReadState::complete;
  }

  const Limits limits_;
  ReadBuffer buffer_;
  std::optional<Parser> parser_;
  std::vector<Header> headers_;
  Request request_;
  Phase phase_ = Phase::head;
  Refusal refusal_ = Refusal::malformed;
  bool keep_alive_ = false;
  bool past_empty_line_ = false;
  std::size_t scanned_ = 0;  ///< bytes of an incomplete head already scanned
  std::size_t head_size_ = 0;
  std::size_t body_size_ = 0;  ///< announced, or decoded so far
  const char* parsed_base_ = nullptr;
};

RequestReader::RequestReader(const Limits& limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestReader::~RequestReader() = default;
std::span<char> RequestReader::room() {
  return impl_->room();
}
ReadState RequestReader::received(std::size_t n) {
  return impl_->received(n);
}
ReadState RequestReader::resume() {
  return impl_->resume();
}
ReadState RequestReader::next() {
  return impl_->next();
}
Request& RequestReader::request() {
  return impl_->request();
}
Request RequestReader::refused_request() {
  return impl_->refused_request();
}
bool RequestReader::keep_alive() const {
  return impl_->keep_alive();
}
bool RequestReader::started() const {
  return impl_->started();
}
bool RequestReader::head_complete() const {
  return impl_->head_complete();
}
std::size_t RequestReader::memory() const {
  return impl_->memory();
}
void RequestReader::abandon() {
  impl_->abandon();
}
Refusal RequestReader::refusal() const {
  return impl_->refusal();
}

}  // namespace dinette::http
