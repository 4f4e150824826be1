#include "cql/wire/connection.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

#include "dinette/base/ascii.h"
#include "dinette/base/log.h"

#include "cql/frames/replies.h"

namespace dinette::cql::wire {
namespace {

using frames::Opcode;
using tcp::Activity;
using tcp::Ending;
using tcp::State;

/// Requests per turn of the loop, whose other clients come next.
constexpr int most_per_turn = 16;

/// Longer requests are answered where no other client waits for them.
constexpr std::size_t longest_on_loop = 64 * 1024;

/// Who has not logged in needs no more.
constexpr std::size_t longest_before_log_in = 64 * 1024;

constexpr std::int16_t stream_of_events = -1;

/// The operation of what needs no data.
std::optional<Operation> operation_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::startup:
      return Operation::startup;
    case Opcode::options:
      return Operation::options;
    case Opcode::auth_response:
      return Operation::log_in;
    case Opcode::register_:
      return Operation::register_;
    case Opcode::prepare:
      return Operation::prepare;
    case Opcode::batch:
      return Operation::batch;
    default:
      return std::nullopt;
  }
}

frames::Consistency level_of(const frames::Request& request) {
  if (const auto* query = std::get_if<frames::Query>(&request)) return query->parameters.consistency;
  if (const auto* execute = std::get_if<frames::Execute>(&request)) return execute->parameters.consistency;
  if (const auto* batch = std::get_if<frames::Batch>(&request)) return batch->consistency;
  return frames::Consistency::one;
}

std::string option_of(const frames::Startup& startup, std::string_view name) {
  const auto found = std::ranges::find_if(
      startup.options, [&](const auto& option) { return base::equal_ignoring_case(option.first, name); });
  return found != startup.options.end() ? std::string(found->second) : "";
}

std::string agent_of(const frames::Startup& startup) {
  const std::string version = option_of(startup, "DRIVER_VERSION");
  return option_of(startup, "DRIVER_NAME") + (version.empty() ? "" : " " + version);
}

}  // namespace

Connection::Connection(Endpoint& endpoint, tcp::Link& link, tcp::Peer peer)
    : endpoint_(endpoint),
      link_(link),
      log_in_(endpoint.begin_log_in()),
      client_(std::make_shared<const Client>(
          Client{.remote = std::move(peer.remote), .caller = {.account = endpoint.options().account}})) {}

Connection::~Connection() {
  stop_following();
}

template <class Change>
void Connection::change_client(Change change) {
  Client changed = *client_;
  change(changed);
  client_ = std::make_shared<const Client>(std::move(changed));
}

State Connection::received(std::size_t n) {
  reader_.received(n);
  return go_on();
}

tcp::Output Connection::output() {
  if (sending_.empty()) sending_.swap(unsent_);
  return {sending_, {}};
}

State Connection::sent() {
  sending_.clear();
  return go_on();
}

State Connection::refuse(tcp::Cutoff why) {
  ending_ = Ending::linger;
  // To a client without TLS there is nothing to say that it would understand.
  if (why == tcp::Cutoff::not_tls) return state();
  send_error(0, Error{ErrorCode::server_error, why == tcp::Cutoff::too_slow
                                                   ? "The request was not complete in time"
                                                   : "The server has no memory left for this connection"});
  return state();
}

void Connection::trim() {
  reader_.trim();
  if (sending_.empty()) std::string().swap(sending_);
  if (unsent_.empty()) std::string().swap(unsent_);
}

State Connection::go_on() {
  for (int i = 0; i < most_per_turn && may_begin(); ++i) {
    auto next = reader_.next(longest_frame());
    if (!next) break;
    if (auto* const frame = std::get_if<Frame>(&*next)) {
      begin(std::move(*frame));
      continue;
    }
    const auto& bad = std::get<BadFrame>(*next);
    if (bad.fatal) ending_ = Ending::linger;
    send_error(bad.stream, bad.error);
  }
  return state();
}

bool Connection::may_begin() const {
  return ending_ == Ending::none && in_flight_ < most_in_flight && bytes_in_flight_ < most_bytes_in_flight &&
         sending_.size() + unsent_.size() < most_unsent;
}

State Connection::state() const {
  State now;
  const bool ready = reader_.ready();
  if (in_flight_ > 0 || ready) {
    now.activity = Activity::working;
  } else if (reader_.started()) {
    now.activity = reader_.header_complete() ? Activity::body : Activity::head;
  }
  now.reads = may_begin() && !ready;
  now.more = may_begin() && ready;
  now.writes = !sending_.empty() || !unsent_.empty();
  now.ending = ending_;
  now.requests = requests_;
  return now;
}

std::size_t Connection::longest_frame() const {
  return phase_ == Phase::ready ? frames::largest_frame : longest_before_log_in;
}

void Connection::begin(Frame frame) {
  ++requests_;
  Answer<void> unpacked = unpack(frame);
  const auto call = std::make_shared<Call>(std::move(frame), client_);
  endpoint_.begin(*call);
  if (unpacked) return serve(call);
  call->answer = std::move(unpacked).failure();
  finish(*call);
}

/// Decompresses the body of a frame, if the connection has agreed on that.
Answer<void> Connection::unpack(Frame& frame) const {
  const bool compressed = (frame.header.flags & frames::compressed) != 0;
  if (!compressed || compression_ == frames::Compression::none) return {};
  DINETTE_TRY(frame.body,
              frames::decompress(compression_, frame.body, longest_frame() - frames::header_size));
  frame.header.flags = static_cast<std::uint8_t>(frame.header.flags & ~frames::compressed);
  return {};
}

/// The order of the checks: docs/service-keyspaces/errors.md section 2.
void Connection::serve(const std::shared_ptr<Call>& call) {
  const auto fail = [&](Error error) {
    call->answer = base::Failure<Error>(std::move(error));
    finish(*call);
  };
  const auto opcode = frames::request_opcode(call->frame.header);
  if (!opcode) return fail(opcode.error());
  call->operation = operation_of(*opcode);
  if (const auto fits = check_phase(*opcode); !fits) return fail(fits.error());
  auto request = frames::read_request(call->frame.header, call->frame.body);
  if (!request) return fail(std::move(request).error());
  call->request = std::move(request).value();
  switch (*opcode) {
    case Opcode::query:
    case Opcode::prepare:
    case Opcode::execute:
    case Opcode::batch:
      return answer_with_data(call);
    default:
      call->answer = answer_here(*call);
      return finish(*call);
  }
}

Answer<void> Connection::check_phase(Opcode opcode) const {
  const std::string name(frames::name_of(opcode));
  switch (phase_) {
    case Phase::startup:
      if (opcode == Opcode::startup || opcode == Opcode::options) return {};
      return protocol_error("Unexpected message " + name + ", expecting STARTUP or OPTIONS");
    case Phase::log_in:
      if (opcode == Opcode::auth_response) return {};
      return protocol_error("Unexpected message " + name + ", expecting SASL_RESPONSE");
    case Phase::ready:
      if (opcode != Opcode::startup && opcode != Opcode::auth_response) return {};
      return protocol_error("Unexpected message " + name + ", the connection is already initialized");
  }
  return {};
}

/// Answers what needs no data.
Answer<Reply> Connection::answer_here(Call& call) {
  if (const auto* startup = std::get_if<frames::Startup>(&call.request)) return start(*startup);
  if (const auto* response = std::get_if<frames::AuthResponse>(&call.request)) return log_in(*response);
  if (const auto* wanted = std::get_if<frames::Register>(&call.request)) return subscribe(*wanted);
  return Reply{.opcode = Opcode::supported, .body = frames::supported_body()};
}

Answer<Reply> Connection::start(const frames::Startup& startup) {
  compression_ = startup.compression;
  change_client([&](Client& client) { client.agent = agent_of(startup); });
  if (endpoint_.options().log_in.mode != LogInOptions::Mode::none) {
    phase_ = Phase::log_in;
    return Reply{.opcode = Opcode::authenticate, .body = frames::authenticate_body(authenticator)};
  }
  // Who need not log in can choose a fork by another name.
  change_client([&](Client& client) { client.caller.name = option_of(startup, "APPLICATION_NAME"); });
  phase_ = Phase::ready;
  return Reply{.opcode = Opcode::ready};
}

Answer<Reply> Connection::log_in(const frames::AuthResponse& response) {
  auto step = log_in_.take(response.token);
  if (!step) {
    ending_ = Ending::linger;
    return std::move(step).failure();
  }
  if (const auto* challenge = std::get_if<Challenge>(&*step))
    return Reply{.opcode = Opcode::auth_challenge, .body = frames::challenge_body(challenge->token)};
  change_client([&](Client& client) { client.caller = std::get<Caller>(*step); });
  phase_ = Phase::ready;
  return Reply{.opcode = Opcode::auth_success, .body = frames::challenge_body(std::nullopt)};
}

/// Topology and status do not change here: only changes of the schema are sent.
Answer<Reply> Connection::subscribe(const frames::Register& wanted) {
  if (std::ranges::find(wanted.events, frames::EventType::schema_change) != wanted.events.end()) {
    DINETTE_TRY(const auto source, endpoint_.source_of(*client_));
    wants_events_ = true;
    follow(source);
  }
  return Reply{.opcode = Opcode::ready};
}

void Connection::answer_with_data(const std::shared_ptr<Call>& call) {
  const bool is_long = call->frame.body.size() > longest_on_loop;
  if (!is_long && !call->pending.needs_waiting()) {
    const Endpoint::Run run = endpoint_.answer(*call, false);
    if (run == Endpoint::Run::answered) return finish(*call);
    if (run == Endpoint::Run::delayed) return answer_later(call);
    if (const auto pending = call->pending.next_to_await()) return answer_when_due(call, *pending);
  }
  const auto run = std::make_shared<Endpoint::Run>();
  const std::size_t bytes = call->frame.body.size();
  const auto done = [this, call, run, bytes] {
    --in_flight_;
    bytes_in_flight_ -= bytes;
    if (*run == Endpoint::Run::delayed)
      answer_later(call);
    else
      finish(*call);
    return go_on();
  };
  ++in_flight_;
  bytes_in_flight_ += bytes;
  try {
    link_.run([&endpoint = endpoint_, call, run] { *run = endpoint.answer(*call, true); }, done);
  } catch (const std::exception& e) {
    --in_flight_;
    bytes_in_flight_ -= bytes;
    base::log(base::LogLevel::error, "a request failed unexpectedly", {{"reason", e.what()}});
    call->answer = base::Failure<Error>(Error{ErrorCode::server_error, "No thread is left"});
    finish(*call);
  }
}

/// Answers a request after the delay that a fault rule orders.
void Connection::answer_later(const std::shared_ptr<Call>& call) {
  call->delay_over = true;  // when it runs again
  call->world->faults().resume_after_delay(*call->fault, leave(call));
}

/// Answers a request when what it has begun is due.
void Connection::answer_when_due(const std::shared_ptr<Call>& call, base::Pending& pending) {
  pending.when_due(leave(call));
}

/// Leaves a request until the function that this returns is called.
std::function<void()> Connection::leave(const std::shared_ptr<Call>& call) {
  ++in_flight_;
  left_.insert(call);
  // What waits must not keep alive what it waits for, and the call has its world.
  return [this, post = link_.post(), waiting = std::weak_ptr(call)] {
    post([this, waiting] {
      const auto resumed = waiting.lock();
      if (resumed == nullptr) return state();
      --in_flight_;
      left_.erase(resumed);
      answer_with_data(resumed);
      return go_on();
    });
  };
}

void Connection::finish(const Call& call) {
  if (call.fault && call.fault->effect.drop) {
    ending_ = Ending::close;
    unsent_.clear();
    return endpoint_.finish(call);
  }
  const std::int16_t stream = call.frame.header.stream;
  if (call.answer) {
    const Reply& reply = *call.answer;
    if (reply.keyspace) change_client([&](Client& client) { client.keyspace = *reply.keyspace; });
    send(stream, reply.opcode, reply.body, reply.warnings);
  } else {
    send_error(stream, call.answer.error(), level_of(call.request));
  }
  // A world may be replaced, and its events with it.
  if (wants_events_ && call.world != nullptr && followed_.lock() != call.world)
    follow({call.world, call.name_space});
  endpoint_.finish(call);
}

void Connection::send(std::int16_t stream, Opcode opcode, std::string_view body,
                      std::span<const std::string> warnings) {
  std::uint8_t flags = 0;
  std::string changed;
  if (!warnings.empty() && reader_.version() >= frames::Version::v4) {
    changed = frames::warnings_before(body, warnings);
    body = changed;
    flags |= frames::warning;
  }
  const bool compresses = compression_ != frames::Compression::none && !body.empty();
  if (compresses && body.size() <= frames::largest_frame) {
    changed = frames::compress(compression_, body);
    body = changed;
    flags |= frames::compressed;
  }
  frames::append_reply_frame(unsent_, reader_.version(), stream, opcode, body, flags);
}

void Connection::send_error(std::int16_t stream, const Error& error, frames::Consistency level) {
  send(stream, Opcode::error, error_body(error, level));
}

void Connection::follow(const Endpoint::Source& source) {
  stop_following();
  followed_ = source.world;
  subscription_ =
      WorldState::of(*source.world)
          .subscribe(source.name_space, link_.post(), [this](const std::string& body) { return push(body); });
}

void Connection::stop_following() {
  if (const auto world = followed_.lock()) WorldState::of(*world).unsubscribe(subscription_);
  followed_.reset();
}

/// A client that takes nothing misses events.
State Connection::push(const std::string& body) {
  if (ending_ == Ending::none && sending_.size() + unsent_.size() < most_unsent)
    send(stream_of_events, Opcode::event, body);
  return state();
}

}  // namespace dinette::cql::wire
