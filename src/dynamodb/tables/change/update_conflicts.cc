#include "dynamodb/tables/change/update_conflicts.h"

#include <algorithm>
#include <string>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/provisioned_throughput.h"
#include "dynamodb/api/stream_specification.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/tables/change/update_request.h"
#include "dynamodb/tables/index_states.h"

namespace dinette::dynamodb {
namespace {

using api::IndexStatus;
using api::TableStatus;

bool same_units(const api::ProvisionedThroughput& a, const api::ProvisionedThroughput& b) {
  return a.read_capacity_units == b.read_capacity_units && a.write_capacity_units == b.write_capacity_units;
}

class Conflicts {
 public:
  Conflicts(const api::TableRecord& record, const TableState& state, const api::UpdateTableInput& input)
      : table_("Table: " + record.table_name),
        record_(record),
        state_(state),
        now_(state.settings),
        target_(state.target),
        input_(input) {}

  Answer<void> check() const {
    DINETTE_CHECK(check_status());
    if (changes_throughput(input_)) DINETTE_CHECK(check_throughput());
    if (input_.stream_specification) DINETTE_CHECK(check_stream());
    if (updates_indexes(input_)) DINETTE_CHECK(check_indexes());
    if (input_.table_class && changes_stream())
      return still_in_use("Can't update table class when stream status is being updated. " + table_);
    if (input_.table_class && changes_class())
      return still_in_use("Can't update table class when a table class update is in progress. " +
                          class_in_progress());
    if (input_.sse_specification && now_.kms_master_key_arn != target_.kms_master_key_arn)
      return still_in_use("Server-Side Encryption is still being updated");
    if (input_.on_demand_throughput) DINETTE_CHECK(check_ceilings());
    const bool waits = makes_table_updating(input_) || updates_indexes(input_);
    return waits && state_.status == TableStatus::updating ? still_in_use(record_, state_.status)
                                                           : Answer<void>();
  }

 private:
  bool switches_mode() const { return now_.billing_mode != target_.billing_mode; }
  bool changes_units() const {
    return switches_mode() || !same_units(now_.provisioned_throughput, target_.provisioned_throughput);
  }
  bool changes_class() const { return now_.table_class != target_.table_class; }

  bool changes_stream() const {
    return state_.changing() && record_.transition && record_.transition->changes_stream;
  }

  std::string stream_in_progress() const {
    const bool enables = record_.stream && record_.stream->view_type;
    return table_ + " Stream: " + (record_.stream ? record_.stream->label : "") +
           " Operation: " + (enables ? "ENABLE" : "DISABLE");
  }

  Answer<void> check_stream() const {
    if (changes_stream())
      return still_in_use("A stream status change is currently in progress. " + stream_in_progress());
    if (changes_units())
      return still_in_use("Can't enable or disable stream while table IOPS are being updated. " + table_);
    if (changes_class()) {
      return still_in_use("Can't change stream status when a table class update is in progress. " +
                          class_in_progress());
    }
    return {};
  }

  std::string class_in_progress() const {
    return table_ + " TableClassUpdateInProgress: " + std::string(to_string(*target_.table_class));
  }

  Answer<void> check_status() const {
    const bool creating = state_.status == TableStatus::creating;
    if (creating && input_.deletion_protection_enabled) {
      return base::Failure{
          ApiError{api::ErrorCode::resource_in_use_exception,
                   "Table needs to be in ACTIVE status to modify deletion protection setting."}};
    }
    if (creating || state_.status == TableStatus::deleting) return still_in_use(record_, state_.status);
    return {};
  }

  /// Returns `[a, b]`, empty if no index has that status.
  std::string indexes_that_are(IndexStatus status) const {
    std::string names;
    for (const IndexState& index : index_states(now_)) {
      if (index.status == status) names.append(names.empty() ? "[" : ", ").append(index.name);
    }
    return names.empty() ? names : names + "]";
  }

  Answer<void> check_throughput() const {
    if (changes_units()) return still_in_use("Table IOPS are currently being updated. " + table_);
    if (changes_stream()) {
      return still_in_use("Can't change table IOPS when stream status is being updated. " +
                          stream_in_progress());
    }
    for (const auto& [status, word] :
         {std::pair(IndexStatus::creating, "created"), std::pair(IndexStatus::deleting, "deleted")}) {
      const std::string names = indexes_that_are(status);
      if (names.empty()) continue;
      return still_in_use("Can't change table IOPS when an index is being " + std::string(word) + ". " +
                          table_ + " Indexes: " + names);
    }
    return {};
  }

  Answer<void> check_ceilings() const {
    const std::string deleting = indexes_that_are(IndexStatus::deleting);
    if (!deleting.empty()) {
      return still_in_use(
          "OnDemandThroughput cannot be updated while index deletion is in progress for indexes: " +
          deleting);
    }
    if (changes_stream())
      return still_in_use("OnDemandThroughput cannot be updated while stream status update is in progress");
    if (switches_mode())
      return still_in_use("OnDemandThroughput cannot be updated while BillingMode update is in progress");
    return {};
  }

  Answer<void> check_indexes() const {
    const std::vector<IndexAction> actions = index_actions(input_);
    for (const IndexAction& action : actions) DINETTE_CHECK(check_index(action));
    if (!creates_or_deletes_indexes(input_)) return {};
    if (changes_units())
      return still_in_use("Can't create or delete indexes while table IOPS are being updated. " + table_);
    if (changes_stream()) {
      return still_in_use("Can't create or delete an index when stream status is being updated. " +
                          stream_in_progress());
    }
    if (changes_class()) {
      return still_in_use("Can't create or delete an index when a table class update is in progress. " +
                          class_in_progress());
    }
    for (const IndexState& index : index_states(now_)) {
      const bool is_removed = std::ranges::any_of(actions, [&](const IndexAction& action) {
        return action.kind == IndexAction::Kind::remove && action.name == index.name;
      });
      if (index.in_work() && !is_removed) return several_indexes_at_once();
    }
    return {};
  }

  Answer<void> check_index(const IndexAction& action) const {
    using Kind = IndexAction::Kind;
    const std::vector<IndexState> indexes = index_states(now_);
    const auto index = std::ranges::find_if(indexes, [&](const IndexState& one) {
      return one.name == action.name && one.vector == action.vector;
    });
    if (index == indexes.end()) return {};
    const std::string both = ". " + table_ + " Index: " + std::string(action.name);
    if (index->status == IndexStatus::deleting) return still_in_use("Index is being deleted" + both);
    // With two blanks (docs/service/vector-search.md, "UpdateTable rejections").
    if (action.vector && action.kind == Kind::create && index->in_work())
      return still_in_use("Index is being created.  " + both.substr(2));
    const bool allocating = index->status == IndexStatus::creating;
    if (allocating && action.kind == Kind::remove) {
      return still_in_use(
          "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when "
          "the index is active" +
          both);
    }
    if (allocating && action.kind == Kind::change)
      return still_in_use("Index is being created but is not backfilling yet" + both);
    if (action.kind == Kind::change && index->status == IndexStatus::updating)
      return still_in_use("Index is being updated" + both);
    return {};
  }

  const std::string table_;
  const api::TableRecord& record_;
  const TableState& state_;
  const api::TableSettings& now_;
  const api::TableSettings& target_;
  const api::UpdateTableInput& input_;
};

}  // namespace

Answer<void> check_no_conflict(const api::TableRecord& record, const TableState& state,
                               const api::UpdateTableInput& input) {
  return Conflicts(record, state, input).check();
}

base::Failure<ApiError> several_indexes_at_once() {
  return subscriber_limit("Only 1 online index can be created or deleted simultaneously per table");
}

bool indexes_are_changing(const api::TableSettings& settings) {
  return std::ranges::any_of(index_states(settings), [](const IndexState& index) {
    return index.building || index.status != IndexStatus::active;
  });
}

}  // namespace dinette::dynamodb
