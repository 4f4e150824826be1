#include "cql/wire/endpoint.h"

#include <exception>
#include <utility>
#include <variant>

#include "dinette/base/log.h"
#include "dinette/base/pending.h"
#include "dinette/base/waiting.h"

#include "cql/wire/background.h"
#include "cql/wire/injected_faults.h"

namespace dinette::cql::wire {
Endpoint::Endpoint(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
    : options_(std::move(options)),
      worlds_(worlds),
      tenants_(worlds, options_.isolation),
      clock_(clock),
      ids_(ids),
      log_(options_.recent, options_.reports) {}

void Endpoint::begin(Call& call) {
  log_.take_details(call);
  if (call.details) call.id = ids_.uuid();
}

Endpoint::Run Endpoint::answer(Call& call, bool may_wait) {
  const base::WaitingScope waiting(may_wait);
  const base::PendingWorkScope pending(call.pending);
  try {
    call.answer = run(call);
  } catch (const std::exception& error) {  // Bugs and exhausted memory end here.
    base::log(base::LogLevel::error, "a request failed unexpectedly", {{"reason", error.what()}});
    call.answer = base::Failure<Error>(Error{ErrorCode::server_error, "java.lang.RuntimeException"});
  }
  if (call.answer.ok() || !call.answer.error().must_wait) return Run::answered;
  return is_delayed(call) ? Run::delayed : Run::must_wait;
}

void Endpoint::finish(const Call& call) {
  log_.add(call);
  const bool expires = call.next_upkeep != base::TimePoint::max();
  if (!call.answer || (!call.answer->changed && !expires)) return;
  const auto store = call.world->store(face_id, call.name_space);
  if (call.answer->changed) announce(*call.world, *store, *call.answer->changed);
  if (expires) keep_later(*call.world, *store, call.next_upkeep);
}

Answer<Endpoint::Source> Endpoint::source_of(const Client& client, std::string* world_name) const {
  if (client.world != nullptr) [[unlikely]] {
    if (world_name != nullptr) *world_name = client.world_name;
    return Source{client.world, std::string(name_space())};
  }
  const tenancy::Sender sender{.world = {},
                               .access_key = client.caller.name,
                               .account = client.caller.account,
                               .region = options_.region};
  std::string_view name;
  DINETTE_CQL_STORED(auto world, tenants_.world_of(sender, name));
  if (world == nullptr) return invalid(tenants_.why_none(sender));
  if (world_name != nullptr) *world_name = name;
  return Source{std::move(world), std::string(name_space())};
}

std::string_view Endpoint::name_space() const {
  return tenants_.name_space_of({.world = {}, .access_key = {}, .account = {}, .region = options_.region});
}

Answer<Reply> Endpoint::run(Call& call) {
  std::string world_name;
  DINETTE_TRY(Source source, source_of(*call.client, &world_name));
  call.world = std::move(source.world);
  call.name_space = std::move(source.name_space);
  if (call.details) call.details->world = std::move(world_name);
  const auto store = call.world->store(face_id, call.name_space);
  const Place place{.world = *call.world,
                    .store = *store,
                    .now = call.world->clock().now(),
                    .mode = options_.strict ? Mode::strict : Mode::lenient,
                    .account = call.client->caller.account,
                    .region = options_.region,
                    .state_delay = options_.state_delay,
                    .sizes = options_.sizes,
                    .details = call.details ? &*call.details : nullptr,
                    .capacity = &capacity_,
                    .throttle = options_.throttle ? &WorldState::of(*call.world).throttle() : nullptr,
                    .next_upkeep = &call.next_upkeep};
  Runner runner(place, WorldState::of(*call.world), call.client->keyspace, call.frame.header.version);
  if (call.keeps_rows) runner.keep_rows_in(call.rows);
  auto answer = run_with_faults(call, place, runner);
  if (runner.operation()) call.operation = runner.operation();
  return answer;
}

/// A rule sees a request before it runs; what it orders for afterwards replaces the answer.
Answer<Reply> Endpoint::run_with_faults(Call& call, const Place& place, Runner& runner) {
  using Phase = tenancy::FaultEffect::Phase;
  if (!call.faults_asked) {
    call.fault = find_fault(place, runner, call.request);
    call.faults_asked = true;
  }
  const bool before = call.fault && call.fault->effect.phase == Phase::before;
  if (is_delayed(call) && before) return must_wait();
  if (before) DINETTE_CHECK(end_of(*call.fault));
  const auto run_one = [&](const auto& request) -> Answer<Reply> {
    if constexpr (requires { runner.run(request); })
      return runner.run(request);
    else
      return protocol_error("Unexpected message");  // the connection answers it by itself
  };
  auto answer = std::visit(run_one, call.request);
  if (answer && call.fault && !before) DINETTE_CHECK(end_of(*call.fault));
  return answer;
}

void Endpoint::write_figures(observe::MetricsWriter& text) const {
  capacity_.write(text, "dinette_keyspaces");
  WorldState::RemovalsByTable all;
  for (const tenancy::ListedWorld& one : worlds_.list()) {
    for (const auto& [table, removals] : WorldState::of(*one.world).removals()) {
      all[table].expired += removals.expired;
      all[table].tombstones += removals.tombstones;
    }
  }
  const auto write = [&](std::string_view name, std::string_view help, auto member) {
    text.family(name, observe::MetricsWriter::Type::counter, help);
    for (const auto& [table, removals] : all)
      text.sample("_total", {{"table", table}}, static_cast<double>(removals.*member));
  };
  write("dinette_keyspaces_ttl_deletes", "TTLDeletes: deletions by expiry, one per started KB of a row",
        &upkeep::Removals::expired);
  write("dinette_keyspaces_system_reconciliation_deletes",
        "SystemReconciliationDeletes: deletions that removed tombstones", &upkeep::Removals::tombstones);
}

}  // namespace dinette::cql::wire
