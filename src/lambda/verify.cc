#include "dinette/lambda/verify.h"

#include <string>
#include <utility>

#include "lambda/api/mapping_transition.h"
#include "lambda/api/window_progress.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/request/context.h"
#include "lambda/triggers/kept_triggers.h"

namespace dinette::lambda {
namespace {

kv::Result<api::MappingRecord> no_mapping() {
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "there is no such mapping"}};
}

/// Checks the mappings of one name space.
class MappingsCheck {
 public:
  MappingsCheck(const store::View& view, store::ReportFault report) : view_(view), report_(report) {}

  /// Returns how many mappings there are.
  kv::Result<std::uint64_t> run() {
    std::uint64_t mappings = 0;
    DINETTE_CHECK(for_each(mappings_space, [&](std::string_view key, std::string_view value) {
      ++mappings;
      return check_mapping(key, value);
    }));
    DINETTE_CHECK(for_each(
        pairs_space, [&](std::string_view key, std::string_view value) { return check_pair(key, value); }));
    DINETTE_CHECK(for_each(progress_space, [&](std::string_view key, std::string_view value) {
      return check_progress(key, value);
    }));
    DINETTE_CHECK(for_each(triggers_space, [&](std::string_view key, std::string_view value) {
      return check_trigger(key, value);
    }));
    return mappings;
  }

 private:
  using Visit = base::FunctionRef<kv::Result<void>(std::string_view key, std::string_view value)>;

  kv::Result<void> for_each(store::SpaceId space, Visit visit) {
    DINETTE_TRY(store::RowCursor entries, view_.scan(space, {}, store::Direction::forward));
    for (;;) {
      DINETTE_TRY(const bool more, entries.next());
      if (!more) return {};
      DINETTE_CHECK(visit(entries.key(), entries.value()));
    }
  }

  kv::Result<void> check_mapping(std::string_view key, std::string_view value) {
    const std::string where = "event source mapping " + std::string(key);
    const auto mapping = decode_mapping(value);
    if (!mapping || mapping->uuid != key) {
      report_(where + " cannot be read");
      return {};
    }
    if (!holds_pair(*mapping)) return {};
    if (mapping->trigger) {
      DINETTE_TRY(const auto trigger, view_.read(triggers_space, *mapping->trigger));
      if (!trigger) report_(where + " is of the trigger " + *mapping->trigger + ", which is gone");
    }
    DINETTE_TRY(const auto pair, view_.read(pairs_space, pair_key(*mapping)));
    if (!pair || pair->view() != key) report_(where + " is not found by its function and its stream");
    return {};
  }

  kv::Result<void> check_pair(std::string_view key, std::string_view uuid) {
    DINETTE_TRY(const auto entry, view_.read(mappings_space, uuid));
    const auto mapping = entry ? decode_mapping(entry->view()) : no_mapping();
    if (!mapping || pair_key(*mapping) != key || !holds_pair(*mapping))
      report_("a function and a stream have the event source mapping " + std::string(uuid) +
              ", which is none of theirs");
    return {};
  }

  kv::Result<void> check_progress(std::string_view key, std::string_view value) {
    const auto progress = decode_progress(value);
    if (!progress || progress_key(progress->uuid, progress->shard) != key) {
      report_("the progress of an event source mapping cannot be read");
      return {};
    }
    DINETTE_TRY(const auto mapping, view_.read(mappings_space, progress->uuid));
    if (!mapping)
      report_("there is progress of the event source mapping " + progress->uuid + ", which is gone");
    return {};
  }

  kv::Result<void> check_trigger(std::string_view key, std::string_view value) {
    const auto trigger = decode_trigger(value);
    if (!trigger || trigger->name != key) report_("the trigger " + std::string(key) + " cannot be read");
    return {};
  }

  const store::View& view_;
  store::ReportFault report_;
};

}  // namespace

kv::Result<std::uint64_t> verify_mappings(tenancy::World& world, store::ReportFault report) {
  DINETTE_CHECK(store::verify_tables(world.engine(), face_id, report));
  std::uint64_t mappings = 0;
  for (store::Store* const store : world.stores(face_id)) {
    DINETTE_TRY(const store::View view, store->view());
    DINETTE_TRY(const std::uint64_t of_store, MappingsCheck(view, report).run());
    mappings += of_store;
  }
  return mappings;
}

}  // namespace dinette::lambda
