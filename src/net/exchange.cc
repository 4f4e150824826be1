#include "net/exchange.h"

#include <exception>
#include <utility>

#include "dinette/base/log.h"

namespace dinette::net {
namespace {

constexpr std::size_t kFlatBody = 16 * 1024;   // One TLS record.
constexpr std::size_t kKeptReply = 64 * 1024;  // Larger reply strings are given back between requests.
constexpr std::size_t kIdleReply = 2 * 1024;   // ... and of idle connections, larger than this.

void trim(std::string& text, std::size_t kept) {
  if (text.capacity() > kept) std::string().swap(text);
}

}  // namespace

Exchange::Exchange(Loop& loop, std::string remote, bool secure)
    : loop_(loop), remote_(std::move(remote)), reader_(loop.shared().options.limits) {
  reader_.request().remote = remote_;
  reader_.request().secure = secure;
}

bool Exchange::call_handler(bool may_wait) {
  HttpRequest& request = reader_.request();
  request.may_wait = may_wait;
  forget_first_call();
  try {
    loop_.shared().handler(request, reply_);
    return may_wait || !reply_.must_wait;
  } catch (const std::exception& e) {
    fail(e.what());
  } catch (...) {
    fail("not a std::exception");
  }
  return true;
}

void Exchange::fail(std::string_view what) {
  base::log(base::LogLevel::error, "handler threw", {{"what", what}, {"remote", remote_}});
  reply_.clear();
  reply_.status = 500;
}

/// Leaves nothing of a first call that had to wait but its progress.
void Exchange::forget_first_call() {
  if (!reply_.must_wait) return;
  auto progress = std::move(reply_.progress);
  reply_.clear();
  reply_.progress = std::move(progress);
}

void Exchange::render_reply() {
  interim_ = false;
  keep_alive_ = reader_.keep_alive() && !reply_.close && !loop_.draining();
  closes_early_ = reply_.close;
  send_body_ = reader_.request().method != "HEAD";
  format_reply_head(reply_, keep_alive_, loop_.date_line(), head_);
}

void Exchange::render_refusal(Refusal refusal) {
  write_refusal(refusal, remote_, loop_.shared().options, reply_);
  interim_ = false;
  keep_alive_ = false;
  closes_early_ = true;
  send_body_ = true;
  format_reply_head(reply_, false, loop_.date_line(), head_);
}

void Exchange::render_continue() {
  head_.assign("HTTP/1.1 100 Continue\r\n\r\n");
  interim_ = true;
  send_body_ = false;
}

std::array<boost::asio::const_buffer, 2> Exchange::output() const {
  return {boost::asio::buffer(head_),
          send_body_ ? boost::asio::buffer(reply_.body) : boost::asio::const_buffer()};
}

void Exchange::flatten_output() {
  if (!send_body_ || reply_.body.size() > kFlatBody) return;
  head_.append(reply_.body);
  send_body_ = false;
}

void Exchange::clear_reply() {
  trim(reply_.body, kKeptReply);
  trim(reply_.headers, kKeptReply);
  trim(head_, kKeptReply);
  reply_.clear();
}

void Exchange::trim_reply() {
  trim(reply_.body, kIdleReply);
  trim(head_, kIdleReply);
}

}  // namespace dinette::net
