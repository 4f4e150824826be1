#include "lambda/triggers/kept_triggers.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "dinette/aws/kept_json.h"
#include "dinette/store/scan.h"
#include "dinette/store/write.h"

#include "lambda/api/codec.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/codec/decoder.h"

namespace dinette::lambda {
namespace {

kv::Result<void> write(store::Store& store, std::string_view name, store::RowChange::Row row,
                       kv::Value value) {
  const store::WriteTarget target = store::WriteTarget::entry(triggers_space, name);
  const auto decide = [&](const store::Rows&, store::RowChanges changes) {
    changes[0].row = row;
    changes[0].value = value;
    return true;
  };
  DINETTE_CHECK(store.write(std::span(&target, 1), decide));
  return {};
}

}  // namespace

kv::Result<api::TriggerRecord> decode_trigger(std::string_view entry) {
  auto record = aws::decode_kept<api::TriggerRecord>(entry, codec::Decoder());
  if (record) return *std::move(record);
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a trigger cannot be read"}};
}

kv::Result<std::vector<api::TriggerRecord>> KeptTriggers::all() const {
  DINETTE_TRY(const store::View view, store_.view());
  DINETTE_TRY(store::RowCursor entries, view.scan(triggers_space, {}, store::Direction::forward));
  std::vector<api::TriggerRecord> triggers;
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) break;
    DINETTE_TRY(triggers.emplace_back(), decode_trigger(entries.value()));
  }
  std::ranges::sort(triggers, {}, &api::TriggerRecord::number);
  return triggers;
}

kv::Result<std::optional<api::TriggerRecord>> KeptTriggers::find(std::string_view name) const {
  DINETTE_TRY(const store::View view, store_.view());
  DINETTE_TRY(const auto entry, view.read(triggers_space, name));
  if (!entry) return std::optional<api::TriggerRecord>();
  DINETTE_TRY(api::TriggerRecord trigger, decode_trigger(entry->view()));
  return std::optional(std::move(trigger));
}

kv::Result<void> KeptTriggers::put(const api::TriggerRecord& trigger) {
  return write(store_, trigger.name, store::RowChange::Row::put, kv::Value(aws::encode_kept(trigger)));
}

kv::Result<void> KeptTriggers::remove(std::string_view name) {
  return write(store_, name, store::RowChange::Row::erase, {});
}

}  // namespace dinette::lambda
