#include "http/http1.h"

#include <exception>
#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/per_thread.h"

#include "http/refusal.h"
#include "http/response_head.h"

namespace dinette::http {

using tcp::Activity;
using tcp::Cutoff;
using tcp::Ending;
using tcp::State;

namespace {

constexpr std::size_t flat_body = 16 * 1024;      ///< one TLS record
constexpr std::size_t kept_response = 64 * 1024;  ///< larger response strings are released between requests
constexpr std::size_t idle_response = 2 * 1024;   ///< ... and of idle connections, larger than this

void shrink(std::string& text, std::size_t kept) {
  if (text.capacity() > kept) std::string().swap(text);
}

std::string_view date_line(const ServerOptions& options) {
  return base::per_thread<DateLine>().at(options.date_now());
}

Refusal refusal_for(Cutoff why) {
  switch (why) {
    case Cutoff::too_slow:
      return Refusal::too_slow;
    case Cutoff::out_of_memory:
      return Refusal::out_of_memory;
    case Cutoff::not_tls:
      return Refusal::plain_to_tls;
  }
  return Refusal::malformed;
}

}  // namespace

Http1Factory::Http1Factory(const ServerOptions& options, Handler handler)
    : options_(options), handler_(std::move(handler)) {}

std::unique_ptr<tcp::Protocol> Http1Factory::make(tcp::Link& link, tcp::Peer peer) {
  return std::make_unique<Http1>(options_, handler_, mixups_, link, std::move(peer));
}

std::string Http1Factory::turn_away(const tcp::Peer& peer) {
  Response response;
  Request request;
  request.remote = peer.remote;
  write_refusal(Refusal::too_many_connections, request, options_, response);
  std::string text;
  format_response_head(response, false, date_line(options_), text);
  return text += response.body;
}

Http1::Http1(const ServerOptions& options, const Handler& handler, ProtocolMixups& mixups, tcp::Link& link,
             tcp::Peer peer)
    : options_(options),
      handler_(handler),
      mixups_(mixups),
      link_(link),
      remote_(std::move(peer.remote)),
      secure_(peer.secure),
      reader_(options.limits) {
  reader_.request().remote = remote_;
  reader_.request().secure = secure_;
}

std::span<char> Http1::room() {
  room_in_use_ = true;
  return reader_.room();
}

State Http1::received(std::size_t n) {
  room_in_use_ = false;
  awaiting_ = false;
  return follow(reader_.received(n));
}

tcp::Output Http1::output() {
  return {head_, send_body_ ? std::string_view(response_.body) : std::string_view()};
}

State Http1::sent() {
  sending_ = false;
  if (interim_) {
    interim_ = false;
    return in_turn(reader_.resume());
  }
  if (response_.rest) [[unlikely]]
    return read_rest();
  clear_response();
  if (keep_alive_) return in_turn(reader_.next());
  State last = state(Activity::working);
  last.ending = closes_early_ ? Ending::linger : Ending::close;
  return last;
}

State Http1::refuse(Cutoff why) {
  return refuse(refusal_for(why));
}

std::size_t Http1::memory() const {
  if (sending_) return reader_.memory() + head_.size() + (send_body_ ? response_.body.size() : 0);
  return awaiting_ ? reader_.memory() : 0;
}

void Http1::trim() {
  shrink(response_.body, idle_response);
  shrink(head_, idle_response);
}

State Http1::follow(ReadState state) {
  switch (state) {
    case ReadState::need_bytes:
      return await_bytes();
    case ReadState::need_continue:
      return send_continue();
    case ReadState::complete:
      return answer();
    case ReadState::refused:
      break;
  }
  return refuse(reader_.refusal());
}

/// Leaves requests that are already complete to the next turn.
State Http1::in_turn(ReadState next) {
  next_ = next;
  if (next == ReadState::need_bytes) return await_bytes();
  State later = state(Activity::working);
  later.more = true;
  return later;
}

State Http1::await_bytes() {
  awaiting_ = true;
  const Activity unfinished = reader_.head_complete() ? Activity::body : Activity::head;
  State reading = state(reader_.started() ? unfinished : Activity::idle);
  reading.reads = true;
  return reading;
}

State Http1::answer() {
  ++requests_;
  return run();
}

State Http1::run() {
  if (!pending_.needs_waiting() && answer_here()) return respond();
  if (const auto pending = pending_.next_to_await()) return wait_for(*pending);
  return hand_over() ? state(Activity::working) : respond();
}

/// Runs the handler once more when what it has begun is due.
State Http1::wait_for(base::Pending& pending) {
  pending.when_due([this, post = link_.post()] { post([this] { return run(); }); });
  return state(Activity::working);
}

/// Runs the handler on this thread. Returns false if it must run where it may wait.
bool Http1::answer_here() {
  return options_.tcp.workers == 0 && call_handler(false);
}

/// Runs the handler on a worker. Returns false if no worker is available; the response is then a 500.
bool Http1::hand_over() {
  try {
    link_.run([this] { call_handler(true); }, [this] { return respond(); });
    return true;
  } catch (const std::exception& e) {
    fail(e.what());
    return false;
  }
}

/// Runs on any thread, while nothing else touches the object. Returns false if the handler must be called
/// again where it may wait.
bool Http1::call_handler(bool may_wait) {
  Request& request = reader_.request();
  request.may_wait = may_wait;
  forget_first_call();
  const base::PendingWorkScope pending(pending_);
  try {
    handler_(request, response_);
    return may_wait || !response_.must_wait;
  } catch (const std::exception& e) {
    fail(e.what());
  } catch (...) {
    fail("not a std::exception");
  }
  return true;
}

/// Clears the response of a call that had to wait, except what it leaves for the next.
void Http1::forget_first_call() {
  if (!response_.must_wait) return;
  auto progress = std::move(response_.progress);
  auto deferral = std::move(response_.deferral);
  response_.clear();
  response_.progress = std::move(progress);
  response_.deferral = std::move(deferral);
}

/// Makes the response a 500 because the handler failed or cannot run.
void Http1::fail(std::string_view what) {
  base::log(base::LogLevel::error, "handler threw", {{"what", what}, {"remote", remote_}});
  response_.clear();
  response_.status = 500;
}

State Http1::respond() {
  pending_.clear();  // an idle connection keeps nothing
  if (response_.deferral) [[unlikely]]
    return defer();
  if (response_.drop) [[unlikely]]
    return end_without_response();
  keep_alive_ = reader_.keep_alive() && !response_.close && !draining_;
  closes_early_ = response_.close;
  send_body_ = reader_.request().method != "HEAD";
  if (!send_body_) response_.rest = nullptr;
  left_ = response_.rest ? response_.length.value_or(0) - response_.body.size() : 0;
  return send_response();
}

/// Has a worker read the next bytes of a response.
State Http1::read_rest() {
  if (left_ == 0) {
    response_.rest = nullptr;
    return sent();
  }
  try {
    link_.run([this] { call_rest(); }, [this] { return send_rest(); });
    return state(Activity::working);
  } catch (const std::exception& e) {
    base::log(base::LogLevel::error, "a response ends early", {{"what", e.what()}, {"remote", remote_}});
    return end_without_response();
  }
}

/// Runs on any thread, while nothing else touches the object. Leaves no bytes if it fails.
void Http1::call_rest() {
  response_.body.clear();
  try {
    if (!response_.rest(response_.body) || response_.body.size() > left_) response_.body.clear();
  } catch (const std::exception& e) {
    base::log(base::LogLevel::error, "a response ends early", {{"what", e.what()}, {"remote", remote_}});
    response_.body.clear();
  }
}

State Http1::send_rest() {
  if (response_.body.empty()) return end_without_response();
  left_ -= response_.body.size();
  head_.clear();
  send_body_ = true;
  return sending(Activity::working);
}

/// Leaves the request until it is due.
State Http1::defer() {
  const auto deferral = response_.deferral;
  deferral->when_due([this, post = link_.post()] { post([this] { return go_on(); }); });
  return state(Activity::working);
}

/// Goes on with a request that was left.
State Http1::go_on() {
  if (response_.must_wait && hand_over()) return state(Activity::working);
  response_.deferral.reset();
  return respond();
}

State Http1::end_without_response() {
  State last = state(Activity::working);
  last.ending = Ending::close;
  return last;
}

State Http1::refuse(Refusal refusal) {
  Request request;
  if (refusal == Refusal::body_too_large) request = reader_.refused_request();
  request.remote = remote_;
  mixups_.note(refusal, remote_);
  write_refusal(refusal, request, options_, response_);
  if (!room_in_use_) reader_.abandon();
  keep_alive_ = false;
  closes_early_ = true;
  send_body_ = true;
  return send_response();
}

State Http1::send_response() {
  format_response_head(response_, keep_alive_, date_line(options_), head_);
  if (secure_ && send_body_ && response_.body.size() <= flat_body) {
    head_.append(response_.body);
    send_body_ = false;
  }
  return sending(Activity::working);
}

State Http1::send_continue() {
  head_.assign("HTTP/1.1 100 Continue\r\n\r\n");
  interim_ = true;
  send_body_ = false;
  return sending(Activity::body);
}

State Http1::sending(Activity activity) {
  sending_ = true;
  State out = state(activity);
  out.writes = true;
  return out;
}

State Http1::state(Activity activity) const {
  State now;
  now.activity = activity;
  now.requests = requests_;
  return now;
}

void Http1::clear_response() {
  shrink(response_.body, kept_response);
  shrink(response_.headers, kept_response);
  shrink(head_, kept_response);
  response_.clear();
}

}  // namespace dinette::http
