#include "lambda/pollers/mapping_poller.h"

#include <algorithm>
#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/aws/kept_json.h"

#include "lambda/api/codec.h"
#include "lambda/api/enums.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/api/window_progress.h"
#include "lambda/filters/filter_pattern.h"
#include "lambda/filters/record_filter.h"
#include "lambda/functions/function_event.h"
#include "lambda/mappings/mapping_state.h"
#include "lambda/mappings/mapping_status.h"
#include "lambda/request/context.h"

namespace dinette::lambda {
namespace {

using deliveries::Pause;
using deliveries::Shard;

/// How often it is looked for a stream that is not there.
constexpr std::chrono::seconds pause_without_stream{1};

/// Returns a mapping without what changes while its settings stay as they are.
api::MappingRecord lasting_settings(api::MappingRecord mapping) {
  mapping.transition.reset();
  mapping.last_processing_result.clear();
  mapping.last_modified = {};
  return mapping;
}

bool have_same_settings(const api::MappingRecord& one, const api::MappingRecord& other) {
  return aws::encode_kept(lasting_settings(one)) == aws::encode_kept(lasting_settings(other));
}

deliveries::BatchRule batches_of(const api::MappingRecord& mapping) {
  return {.records = static_cast<std::size_t>(mapping.batch_size),
          .bytes = most_batch_bytes(mapping.tumbling_window_in_seconds != 0),
          .window = std::chrono::seconds(mapping.maximum_batching_window_in_seconds),
          .tumbling = std::chrono::seconds(mapping.tumbling_window_in_seconds)};
}

deliveries::RetryRule retries_of(const api::MappingRecord& mapping) {
  deliveries::RetryRule rule{.bisects = mapping.bisect_batch_on_function_error};
  if (mapping.maximum_retry_attempts >= 0) rule.retries = mapping.maximum_retry_attempts;
  if (mapping.maximum_record_age_in_seconds >= 0)
    rule.age = std::chrono::seconds(mapping.maximum_record_age_in_seconds);
  return rule;
}

StreamKind kind_of(std::string_view stream_arn) {
  const auto arn = aws::parse_arn(stream_arn);
  return arn && arn->service == "kinesis" ? StreamKind::kinesis : StreamKind::dynamodb;
}

/// A mapping cannot have patterns that cannot be read.
std::function<bool(const deliveries::Record&)> filter_of(const api::MappingRecord& mapping) {
  if (mapping.filter_patterns.empty()) return nullptr;
  const std::vector<std::string_view> patterns(mapping.filter_patterns.begin(),
                                               mapping.filter_patterns.end());
  auto criteria = FilterCriteria::read(patterns);
  if (!criteria) return nullptr;
  const auto filter =
      std::make_shared<const RecordFilter>(*std::move(criteria), kind_of(mapping.event_source_arn));
  return [filter](const deliveries::Record& record) { return filter->admits(record.payload); };
}

bool is_done(const std::vector<api::MappingProgress>& progress, const std::string& shard) {
  const auto found = std::ranges::find(progress, shard, &api::MappingProgress::shard);
  return found != progress.end() && found->closed.value_or(false);
}

bool all_done(const std::vector<Shard>& shards, const std::vector<api::MappingProgress>& progress) {
  return std::ranges::all_of(shards, [&](const Shard& shard) { return is_done(progress, shard.id); });
}

/// Returns true if all records of the parents that there are have been delivered.
bool may_start(const Shard& shard, const std::vector<Shard>& shards,
               const std::vector<api::MappingProgress>& progress) {
  return std::ranges::all_of(shard.parents, [&](const std::string& parent) {
    return std::ranges::find(shards, parent, &Shard::id) == shards.end() || is_done(progress, parent);
  });
}

}  // namespace

std::string MappingPoller::name_of(std::string_view name_space, std::string_view uuid) {
  return "mapping " + std::string(uuid) + (name_space.empty() ? "" : " in ") + std::string(name_space);
}

MappingPoller::MappingPoller(std::shared_ptr<const PollerSettings> settings, tenancy::World& world,
                             std::string_view name_space, std::string uuid)
    : settings_(std::move(settings)),
      world_(world),
      name_space_(name_space),
      uuid_(std::move(uuid)),
      store_(world.store(face_id, name_space)),
      mappings_(*store_) {}

kv::Result<Pause> MappingPoller::step(const std::stop_token&) {
  DINETTE_TRY(const auto mapping, mappings_.find(uuid_));
  if (run_ && run_is_over(mapping)) {
    run_->continues = false;
    for (const std::string& lane : lanes_) world_.lanes().wake(lane);
    if (run_->running != 0) return Pause{Pause::Until::woken};
    run_.reset();
  }
  if (!mapping || is_deleting(*mapping) || !mapping->enabled) return finish(mapping);
  if (!run_) begin_run(*mapping);
  return start_shards();
}

std::string MappingPoller::place_of(const api::MappingRecord& mapping) const {
  const auto place = settings_->place(*store_, mapping);
  return place ? text_of(*place) : std::string();
}

/// A trigger may get another URL or command, which its mapping does not show.
bool MappingPoller::run_is_over(const std::optional<api::MappingRecord>& mapping) const {
  return !mapping || is_deleting(*mapping) || !have_same_settings(*mapping, mapping_) ||
         place_of(*mapping) != place_;
}

/// No lane runs, and none is to run.
kv::Result<Pause> MappingPoller::finish(const std::optional<api::MappingRecord>& mapping) {
  MappingStatuses& statuses = MappingStatuses::of(world_);
  if (mapping && !is_deleting(*mapping)) {
    statuses.set_reason(uuid_, "");
    return Pause{Pause::Until::woken};
  }
  if (mapping && !state_at(*mapping, world_.clock().now()).is_gone)
    return Pause::at(mapping->transition->until.time());
  if (mapping) DINETTE_CHECK(mappings_.remove(uuid_));
  statuses.forget(uuid_);
  return Pause::done();
}

void MappingPoller::begin_run(const api::MappingRecord& mapping) {
  run_ = std::make_shared<MappingRun>();
  run_->poller = name_of(name_space_, uuid_);
  mapping_ = mapping;
  place_ = place_of(mapping);
  started_.clear();
  lanes_.clear();
}

kv::Result<Pause> MappingPoller::start_shards() {
  DINETTE_TRY(const auto source, open_source());
  const auto shards = source ? source->shards() : kv::Result<std::optional<std::vector<Shard>>>(std::nullopt);
  if (!shards) return base::Failure{shards.error()};
  if (!*shards) {
    MappingStatuses::of(world_).set_reason(uuid_, "The stream is gone.");
    return Pause::of(pause_without_stream);
  }
  DINETTE_TRY(const auto progress, mappings_.progress_of(uuid_));
  for (const Shard& shard : **shards) {
    if (started_.contains(shard.id) || !may_start(shard, **shards, progress)) continue;
    const auto kept = std::ranges::find(progress, shard.id, &api::MappingProgress::shard);
    if (kept == progress.end()) {
      DINETTE_TRY(api::MappingProgress first, first_progress_in(*source, shard.id));
      DINETTE_CHECK(start(shard.id, std::move(first)));
    } else if (!kept->closed.value_or(false)) {
      DINETTE_CHECK(start(shard.id, *kept));
    }
  }
  for (const api::MappingProgress& one : progress) {
    if (std::ranges::find(**shards, one.shard, &Shard::id) == (*shards)->end())
      DINETTE_CHECK(mappings_.forget_progress(uuid_, one.shard));
  }
  if (mapping_.trigger && all_done(**shards, progress)) return leave();
  return Pause{Pause::Until::woken};
}

/// The stream of a trigger's table has ended, and all of it has been delivered.
kv::Result<Pause> MappingPoller::leave() {
  const auto end = [&](api::MappingRecord& mapping) {
    begin_transition(mapping, api::MappingState::deleting, world_.clock().now(),
                     std::chrono::milliseconds(0));
    return true;
  };
  DINETTE_CHECK(mappings_.change(uuid_, end));
  return Pause{Pause::Until::at_once};
}

/// Where a shard begins of which nothing is kept: that the mapping begins with the latest records is kept
/// from the start, so this shard came later.
kv::Result<api::MappingProgress> MappingPoller::first_progress_in(deliveries::StreamSource& source,
                                                                  const std::string& shard) const {
  api::MappingProgress progress;
  progress.uuid = uuid_;
  progress.shard = shard;
  if (mapping_.starting_position != api::StartingPosition::at_timestamp) return progress;
  DINETTE_TRY(std::string place, source.place_of(shard, deliveries::StartingPosition::at_timestamp,
                                                 mapping_.starting_position_timestamp->time()));
  progress.parts.push_back(std::move(place));
  return progress;
}

kv::Result<void> MappingPoller::start(const std::string& shard, api::MappingProgress progress) {
  const auto parts = static_cast<unsigned>(mapping_.parallelization_factor);
  std::vector<std::unique_ptr<deliveries::StreamSource>> sources;
  for (unsigned part = 0; part < parts; ++part) {
    DINETTE_TRY(sources.emplace_back(), open_source());
    if (!sources.back()) return {};
  }
  const auto shared = std::make_shared<ShardProgress>(*store_, std::move(progress), parts);
  for (unsigned part = 0; part < parts; ++part) {
    auto lane = std::make_shared<PartLane>(PartLaneSettings{.world = world_,
                                                            .store = *store_,
                                                            .ids = settings_->ids,
                                                            .uuid = uuid_,
                                                            .run = run_,
                                                            .progress = shared,
                                                            .part = {shard, part, parts},
                                                            .batches = batches_of(mapping_),
                                                            .retries = retries_of(mapping_),
                                                            .source = std::move(sources[part]),
                                                            .target = target()});
    ++run_->running;
    lanes_.push_back(run_->poller + " lane " + std::to_string(++last_lane_));
    world_.lanes().add(lanes_.back(), std::move(lane));
  }
  started_.insert(shard);
  return {};
}

kv::Result<std::unique_ptr<deliveries::StreamSource>> MappingPoller::open_source() const {
  return settings_->sources.open(world_, name_space_, mapping_.event_source_arn);
}

std::unique_ptr<FunctionTarget> MappingPoller::target() const {
  const auto& types = mapping_.function_response_types;
  return std::make_unique<FunctionTarget>(FunctionTargetSettings{
      .names = {.id = uuid_,
                .function = mapping_.function_arn,
                .stream = mapping_.event_source_arn,
                .kind = kind_of(mapping_.event_source_arn)},
      .place = settings_->place(*store_, mapping_),
      .timeout = settings_->timeout,
      .reports_failures =
          std::ranges::find(types, api::FunctionResponseType::report_batch_item_failures) != types.end(),
      .keeps_state = mapping_.tumbling_window_in_seconds != 0,
      .admits = filter_of(mapping_),
      .on_failure = mapping_.on_failure.value_or(""),
      .objects = settings_->objects,
      .log = MappingStatuses::of(world_).log(),
      .clock = world_.clock(),
      .ids = settings_->ids});
}

}  // namespace dinette::lambda
