#include "dinette/embedded.h"

#include <mutex>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/instance.h"
#include "dinette/dynamodb/local_call.h"
#include "dinette/http/server.h"
#include "dinette/objects/memory_store.h"

namespace dinette {
namespace {

// How long requests in progress may take when serving ends.
constexpr std::chrono::seconds drain_deadline{8};

// The default world.
constexpr std::string_view world_name;

dynamodb::ServiceOptions service_options(const EmbeddedOptions& options, objects::ObjectStore& buckets) {
  dynamodb::ServiceOptions service;
  service.auth.default_account = options.account;
  service.auth.default_region = options.region;
  service.state_delay = options.state_delay;
  service.objects = &buckets;
  return service;
}

std::unique_ptr<base::Ids> make_ids(const EmbeddedOptions& options) {
  if (options.seed) return std::make_unique<base::SeededIds>(*options.seed);
  return std::make_unique<base::SystemIds>();
}

}  // namespace

class Embedded::Impl {
 public:
  explicit Impl(const EmbeddedOptions& options)
      : ids_(make_ids(options)),
        buckets_(objects::make_memory_store(clock_)),
        // In memory, nothing can fail.
        instance_(dynamodb::Instance::open({.service = service_options(options, *buckets_)}, clock_, *ids_)
                      .value()) {}

  EmbeddedReply call(std::string_view operation, std::string_view json) {
    http::Response reply = dynamodb::call_locally(instance_->service(), operation, json);
    return {reply.status, std::move(reply.body)};
  }

  EmbeddedTime now() { return worlds().find(world_name)->clock().now(); }

  // In memory, nothing that is kept can fail.
  bool change_clock(const tenancy::ClockChange& change) {
    const std::lock_guard guard(clock_changes_);
    return worlds().find(world_name)->change_clock(change).value() == tenancy::ClockOutcome::changed;
  }

  void reset() { static_cast<void>(worlds().reset(world_name)); }

  base::Result<std::uint16_t, std::string> serve(std::uint16_t port) {
    if (server_) return base::Failure{std::string("this service is being served already")};
    http::ServerOptions settings;
    settings.tcp.listen.port = port;
    settings.limits = dynamodb::http_limits();
    settings.date_now = [this] { return std::chrono::system_clock::to_time_t(clock_.now()); };
    settings.on_refusal = [this](const auto& request, auto& reply) {
      instance_->service().refuse(request, reply);
    };
    server_.emplace(std::move(settings), [this](const auto& request, auto& reply) {
      instance_->service().handle(request, reply);
    });
    auto started = server_->start();
    if (!started) server_.reset();
    return started;
  }

  void stop() {
    if (!server_) return;
    server_->stop(drain_deadline);
    server_.reset();
  }

 private:
  tenancy::Worlds& worlds() { return instance_->worlds(); }

  const base::SystemClock clock_;
  const std::unique_ptr<base::Ids> ids_;
  const std::unique_ptr<objects::BucketStore> buckets_;
  const std::unique_ptr<dynamodb::Instance> instance_;
  std::mutex clock_changes_;
  std::optional<http::Server> server_;
};

Embedded::Embedded(const EmbeddedOptions& options) : impl_(std::make_unique<Impl>(options)) {}

Embedded::~Embedded() {
  stop();
}

EmbeddedReply Embedded::call(std::string_view operation, std::string_view json) {
  return impl_->call(operation, json);
}

EmbeddedTime Embedded::now() const {
  return impl_->now();
}

bool Embedded::set_time(EmbeddedTime time) {
  return impl_->change_clock({.now = time});
}

bool Embedded::advance(std::chrono::microseconds step) {
  return impl_->change_clock({.advance = step});
}

void Embedded::freeze(bool frozen) {
  impl_->change_clock({.frozen = frozen});
}

void Embedded::reset() {
  impl_->reset();
}

base::Result<std::uint16_t, std::string> Embedded::serve(std::uint16_t port) {
  return impl_->serve(port);
}

void Embedded::stop() {
  impl_->stop();
}

}  // namespace dinette
