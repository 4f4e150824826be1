#include "dinette/lambda/pollers.h"

#include <stop_token>
#include <utility>

#include "dinette/base/log.h"

#include "lambda/mappings/kept_mappings.h"
#include "lambda/mappings/mapping_status.h"
#include "lambda/pollers/mapping_poller.h"
#include "lambda/request/context.h"
#include "lambda/triggers/trigger_keeper.h"

namespace dinette::lambda {

class Pollers::Impl {
 public:
  explicit Impl(PollersSettings settings)
      : settings_(std::move(settings)),
        keeper_(settings_, [this](tenancy::World& world, std::string_view name_space,
                                  std::string_view uuid) { poll(world, name_space, uuid); }),
        of_mappings_(std::make_shared<const PollerSettings>(PollerSettings{
            .sources = settings_.sources,
            .place = [this](store::Store& store,
                            const api::MappingRecord& mapping) { return keeper_.place_of(store, mapping); },
            .timeout = settings_.timeout,
            .objects = settings_.objects,
            .ids = settings_.ids})) {}

  TriggerKeeper& keeper() { return keeper_; }

  /// Also of a world without tables: triggers may wait for theirs.
  void resume(tenancy::World& world) {
    for (store::Store* const store : world.stores(face_id)) {
      const auto begin = [&](const api::MappingRecord& mapping) {
        poll(world, store->name_space(), mapping.uuid);
        return true;
      };
      const auto begun = KeptMappings(*store).for_each("", begin);
      if (begun) continue;
      base::log(base::LogLevel::error, "event source mappings could not be looked for",
                {{"reason", begun.error().message}});
    }
    keeper_.resume(world);
  }

  /// Has a mapping polled; or looked at again, if it is.
  void poll(tenancy::World& world, std::string_view name_space, std::string_view uuid) {
    world.lanes().add(MappingPoller::name_of(name_space, uuid),
                      std::make_shared<MappingPoller>(of_mappings_, world, name_space, std::string(uuid)));
  }

  std::shared_ptr<const DeliveryRecord> repeat(tenancy::World& world, std::uint64_t number) {
    DeliveryLog& log = *MappingStatuses::of(world).log();
    const auto delivery = log.find(number);
    if (!delivery) return nullptr;
    const std::optional<FunctionPlace> place = place_of(world, *delivery);
    if (!place) return nullptr;
    return send_again(*delivery, *place, settings_.timeout, log, world.clock(), {});
  }

 private:
  std::optional<FunctionPlace> place_of(tenancy::World& world, const DeliveryRecord& delivery) {
    for (store::Store* const store : world.stores(face_id)) {
      const auto mapping = KeptMappings(*store).find(delivery.mapping);
      if (mapping && *mapping) return keeper_.place_of(*store, **mapping);
    }
    return settings_.places.find(delivery.function);
  }

  const PollersSettings settings_;
  TriggerKeeper keeper_;
  const std::shared_ptr<const PollerSettings> of_mappings_;
};

Pollers::Pollers(PollersSettings settings) : impl_(std::make_unique<Impl>(std::move(settings))) {}
Pollers::~Pollers() = default;

void Pollers::resume(tenancy::World& world) {
  impl_->resume(world);
}

void Pollers::mapping_changed(tenancy::World& world, std::string_view name_space, std::string_view uuid) {
  impl_->poll(world, name_space, uuid);
}

kv::Result<std::vector<TriggerState>> Pollers::list(tenancy::World& world) {
  return impl_->keeper().list(world);
}

kv::Result<std::optional<std::string>> Pollers::replace(tenancy::World& world,
                                                        std::vector<Trigger> triggers) {
  return impl_->keeper().replace(world, std::move(triggers));
}

DeliveryLog::Page Pollers::deliveries(tenancy::World& world, const DeliveryLog::Question& question) {
  return MappingStatuses::of(world).log()->read(question);
}

std::shared_ptr<const DeliveryRecord> Pollers::repeat(tenancy::World& world, std::uint64_t number) {
  return impl_->repeat(world, number);
}

}  // namespace dinette::lambda
