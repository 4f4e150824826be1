#include "lambda/mappings/kept_mappings.h"

#include <array>
#include <utility>

#include "dinette/aws/kept_json.h"

#include "lambda/api/codec.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/codec/decoder.h"
#include "lambda/mappings/mapping_state.h"

namespace dinette::lambda {
namespace {

using store::KeyRange;
using store::WriteTarget;
using Row = store::RowChange::Row;

template <class Record>
kv::Result<Record> decode_record(std::string_view entry, std::string_view what) {
  auto record = aws::decode_kept<Record>(entry, codec::Decoder());
  if (record) return *std::move(record);
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, std::string(what) + " cannot be read"}};
}

void put(store::RowChange& change, std::string value) {
  change.row = Row::put;
  change.value = kv::Value(std::move(value));
}

store::KeyWrite entry_write(store::SpaceId space, std::string key, kv::Value value = {}) {
  return {.area = store::Area::of_face(space), .key = std::move(key), .value = std::move(value)};
}

KeyRange keys_after(std::string_view key) {
  KeyRange range;
  if (!key.empty()) range.start_after(key, store::Direction::forward);
  return range;
}

}  // namespace

std::string pair_key(const api::MappingRecord& mapping) {
  return mapping.function_arn + "\n" + mapping.event_source_arn;
}

std::string progress_key(std::string_view uuid, std::string_view shard) {
  return std::string(uuid).append("\n").append(shard);
}

bool holds_pair(const api::MappingRecord& mapping) {
  return !is_deleting(mapping);
}

kv::Result<api::MappingRecord> decode_mapping(std::string_view entry) {
  return decode_record<api::MappingRecord>(entry, "an event source mapping");
}

kv::Result<api::MappingProgress> decode_progress(std::string_view entry) {
  return decode_record<api::MappingProgress>(entry, "the progress of an event source mapping");
}

kv::Result<std::optional<api::MappingRecord>> KeptMappings::find(std::string_view uuid) const {
  DINETTE_TRY(const store::View view, store_.view());
  DINETTE_TRY(const auto entry, view.read(mappings_space, uuid));
  if (!entry) return std::optional<api::MappingRecord>();
  DINETTE_TRY(api::MappingRecord mapping, decode_mapping(entry->view()));
  return std::optional(std::move(mapping));
}

kv::Result<std::string> KeptMappings::holder_of(const api::MappingRecord& mapping) const {
  DINETTE_TRY(const store::View view, store_.view());
  DINETTE_TRY(const auto uuid, view.read(pairs_space, pair_key(mapping)));
  return std::string(uuid ? uuid->view() : std::string_view());
}

kv::Result<void> KeptMappings::for_each(
    std::string_view after, base::FunctionRef<bool(const api::MappingRecord& mapping)> visit) const {
  DINETTE_TRY(const store::View view, store_.view());
  DINETTE_TRY(store::RowCursor entries,
              view.scan(mappings_space, keys_after(after), store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return {};
    DINETTE_TRY(const api::MappingRecord mapping, decode_mapping(entries.value()));
    if (!visit(mapping)) return {};
  }
}

kv::Result<KeptMappings::Changed> KeptMappings::add(const api::MappingRecord& mapping,
                                                    std::span<const api::MappingProgress> progress) {
  const std::string pair = pair_key(mapping);
  const std::array targets{WriteTarget::entry(mappings_space, mapping.uuid),
                           WriteTarget::entry(pairs_space, pair)};
  std::string other;
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    other = rows[1] ? rows[1]->view() : std::string_view();
    if (!other.empty()) return false;
    put(changes[0], aws::encode_kept(mapping));
    put(changes[1], mapping.uuid);
    for (const api::MappingProgress& one : progress)
      changes[0].entries.push_back(
          entry_write(progress_space, progress_key(one.uuid, one.shard), kv::Value(aws::encode_kept(one))));
    return true;
  };
  DINETTE_TRY(const auto written, store_.write(targets, decide));
  if (written.outcome == store::WriteOutcome::applied) return Changed{};
  return Changed{Outcome::taken, std::move(other)};
}

/// The decision of a write that changes a mapping. Its targets are the mapping, and the pair that it has
/// afterwards.
class KeptMappings::Change {
 public:
  /// `pair_before`: of the mapping, as it was when the targets were chosen.
  Change(std::string_view uuid, std::string_view pair_before, Edit edit)
      : uuid_(uuid), pair_before_(pair_before), edit_(edit) {}

  bool operator()(const store::Rows& rows, store::RowChanges changes) {
    is_overtaken_ = false;
    changed_ = decide(rows, changes);
    return changed_ && changed_->outcome == Outcome::done;
  }

  /// Returns true if the mapping has got another function since, so that the targets are wrong.
  bool is_overtaken() const { return is_overtaken_; }
  const kv::Result<Changed>& changed() const { return changed_; }

 private:
  kv::Result<Changed> decide(const store::Rows& rows, store::RowChanges changes) {
    if (!rows[0]) return Changed{Outcome::gone};
    DINETTE_TRY(api::MappingRecord mapping, decode_mapping(rows[0]->view()));
    is_overtaken_ = pair_key(mapping) != pair_before_;
    if (is_overtaken_ || !edit_(mapping)) return Changed{Outcome::refused};
    const std::string_view holder = rows[1] ? rows[1]->view() : std::string_view();
    const bool holds = holds_pair(mapping);
    if (holds && !holder.empty() && holder != uuid_) return Changed{Outcome::taken, std::string(holder)};
    put(changes[0], aws::encode_kept(mapping));
    if (holds) put(changes[1], std::string(uuid_));
    if (!holds && holder == uuid_) changes[1].row = Row::erase;
    if (pair_key(mapping) != pair_before_)
      changes[0].entries.push_back(entry_write(pairs_space, std::string(pair_before_)));
    return Changed{};
  }

  const std::string_view uuid_;
  const std::string_view pair_before_;
  const Edit edit_;
  bool is_overtaken_ = false;
  kv::Result<Changed> changed_ = Changed{};
};

kv::Result<KeptMappings::Changed> KeptMappings::change(std::string_view uuid, Edit edit) {
  for (;;) {
    DINETTE_TRY(auto mapping, find(uuid));
    if (!mapping) return Changed{Outcome::gone};
    const std::string pair_before = pair_key(*mapping);
    if (!edit(*mapping)) return Changed{Outcome::refused};
    const std::string pair = pair_key(*mapping);
    const std::array targets{WriteTarget::entry(mappings_space, uuid), WriteTarget::entry(pairs_space, pair)};
    Change change(uuid, pair_before, edit);
    DINETTE_CHECK(store_.write(targets, change));
    if (!change.is_overtaken()) return change.changed();
  }
}

kv::Result<void> KeptMappings::remove(std::string_view uuid) {
  DINETTE_TRY(const auto mapping, find(uuid));
  if (!mapping) return {};
  const std::string pair = pair_key(*mapping);
  const std::array targets{WriteTarget::entry(mappings_space, uuid), WriteTarget::entry(pairs_space, pair)};
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    changes[0].erased_ranges.push_back(
        {.area = store::Area::of_face(progress_space), .range = KeyRange::of_prefix(progress_key(uuid, ""))});
    changes[0].row = Row::erase;
    if (rows[1] && rows[1]->view() == uuid) changes[1].row = Row::erase;
    return true;
  };
  DINETTE_CHECK(store_.write(targets, decide));
  return {};
}

kv::Result<void> KeptMappings::keep_result(std::string_view uuid, std::string_view result) {
  const auto edit = [&](api::MappingRecord& mapping) {
    if (mapping.last_processing_result == result) return false;
    mapping.last_processing_result = result;
    return true;
  };
  DINETTE_CHECK(change(uuid, edit));
  return {};
}

kv::Result<std::vector<api::MappingProgress>> KeptMappings::progress_of(std::string_view uuid) const {
  DINETTE_TRY(const store::View view, store_.view());
  DINETTE_TRY(store::RowCursor entries, view.scan(progress_space, KeyRange::of_prefix(progress_key(uuid, "")),
                                                  store::Direction::forward));
  std::vector<api::MappingProgress> progress;
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return progress;
    DINETTE_TRY(progress.emplace_back(), decode_progress(entries.value()));
  }
}

kv::Result<bool> KeptMappings::keep_progress(const api::MappingProgress& progress) {
  const std::string key = progress_key(progress.uuid, progress.shard);
  const std::array targets{WriteTarget::entry(mappings_space, progress.uuid),
                           WriteTarget::entry(progress_space, key)};
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    if (!rows[0]) return false;
    put(changes[1], aws::encode_kept(progress));
    return true;
  };
  DINETTE_TRY(const auto written, store_.write(targets, decide));
  return written.outcome == store::WriteOutcome::applied;
}

kv::Result<void> KeptMappings::forget_progress(std::string_view uuid, std::string_view shard) {
  const std::string key = progress_key(uuid, shard);
  const WriteTarget target = WriteTarget::entry(progress_space, key);
  const auto decide = [](const store::Rows&, store::RowChanges changes) {
    changes[0].row = Row::erase;
    return true;
  };
  DINETTE_CHECK(store_.write(std::span(&target, 1), decide));
  return {};
}

}  // namespace dinette::lambda
