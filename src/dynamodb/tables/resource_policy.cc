#include "dynamodb/tables/resource_policy.h"

#include <algorithm>
#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/aws/auth_options.h"
#include "dinette/aws/region.h"
#include "dinette/iam/policy.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/model/resource_arn.h"
#include "dynamodb/request/access.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tables/tags.h"

namespace dinette::dynamodb {
namespace {

static_assert(iam::longest_policy == model::limits::resource_policy_bytes);

constexpr std::string_view no_policy = "NO_POLICY";

/// A table, or its stream, whose policy is meant.
struct PolicyOwner {
  OpenTable table;
  bool stream = false;
};

base::Failure<ApiError> bad_document(std::string_view sentence) {
  return invalid("Invalid policy document: " + std::string(sentence));
}

// docs/service/insights-policies-account.md section 2: not known is what a condition changes about it; here
// any condition bounds the access.
bool is_unbounded(const iam::Statement& statement) {
  const iam::Principals& principals = statement.principals;
  return statement.effect == iam::Effect::allow && (principals.everyone || principals.negated) &&
         statement.conditions.empty();
}

bool is_principal(std::string_view text) {
  if (aws::is_account_number(text)) return true;
  const auto arn = aws::parse_arn(text);
  return arn && (arn->service == "iam" || arn->service == "sts") && aws::is_account_number(arn->account) &&
         !arn->resource.empty() && arn->resource.find('*') == std::string_view::npos;
}

/// Users and roles must exist, as far as those of their account are known.
bool principal_exists(const Context& context, std::string_view principal) {
  if (!is_principal(principal)) return false;
  const auto arn = aws::parse_arn(principal);
  if (context.access == nullptr || !arn) return true;
  const iam::Identities& identities = context.access->identities();
  return !identities.knows_principal(arn->account) || identities.knows_principal(principal);
}

bool is_known_resource(std::string_view pattern) {
  if (pattern == "*") return true;
  const auto arn = aws::parse_arn(pattern);
  return !arn || arn->service != "dynamodb" || arn->resource.starts_with("table/") ||
         arn->resource.find('*') != std::string_view::npos;
}

Answer<void> check_statement(const Context& context, const iam::Statement& statement) {
  for (const std::string& principal : statement.principals.aws) {
    if (!principal_exists(context, principal)) return invalid("Invalid principal in policy document.");
  }
  for (const std::string& resource : statement.resources.values) {
    if (is_known_resource(resource)) continue;
    return bad_document("The relative-id \"" + std::string(aws::parse_arn(resource)->resource) +
                        "\" is invalid for ARN \"" + resource + "\".");
  }
  if (is_unbounded(statement))
    return validation(
        "Resource-based policy grants unbounded access in one or more elements. Please revise the policy to "
        "ensure least-privilege form of access");
  return {};
}

Answer<iam::Policy> parse_policy(std::string_view document) {
  if (document.size() > iam::longest_policy)
    return invalid("Maximum policy size of " + std::to_string(iam::longest_policy) + " bytes exceeded");
  auto policy = iam::read_policy(document, iam::PolicyUse::resource);
  if (policy.ok()) return std::move(policy).value();
  const std::string& error = policy.error();
  return error.starts_with("Invalid principal") ? invalid(error) : bad_document(error);
}

Answer<void> check_policy_region(const Context& context, std::string_view text, const aws::Arn& arn) {
  if (arn.region != context.region || arn.partition != aws::partition_of(arn.region))
    return invalid("Invalid resource Arn: " + std::string(text));
  if (arn.account == context.account) return {};
  return validation(
      "This action is only supported by accounts that match the resource owner\u2019s account.");
}

base::Failure<ApiError> policy_stream_not_found(std::string_view label, std::string_view table) {
  return base::Failure{ApiError{api::ErrorCode::resource_not_found_exception,
                                "Requested resource not found: Stream: " + std::string(label) +
                                    " not found for Table: " + std::string(table)}};
}

/// A table that is being created does not exist yet (docs/service/tables.md section 8).
Answer<PolicyOwner> open_owner(const Context& context, std::string_view text) {
  DINETTE_CHECK(check_resource_arn(text));
  const auto arn = *aws::parse_arn(text);
  const auto named = *model::parse_table_resource(arn.resource);
  DINETTE_TRY(OpenTable table, find_table(context, named.name));
  const std::string of_table(text.substr(0, text.size() - (named.part.empty() ? 0 : named.part.size() + 1)));
  if (!table.table || table.schema().arn() != of_table) {
    DINETTE_CHECK(check_policy_region(context, text, arn));
    return table_not_found(named.name);
  }
  const bool creating = state_at(table.record(), context.now).status == api::TableStatus::creating;
  if (creating || is_restoring(table.record(), context.now)) return table_not_found(named.name);
  const bool stream = !named.part.empty();
  if (stream) {
    const std::string_view label = named.part.substr(std::string_view("stream/").size());
    if (!table.schema().stream() || table.schema().latest_stream_label() != label)
      return policy_stream_not_found(label, named.name);
  }
  return PolicyOwner{std::move(table), stream};
}

/// The revision of a policy from before revisions were kept is the time of the table.
KeptPolicy kept_policy(const api::TableRecord& record, bool stream) {
  if (stream) return {record.stream_policy, record.stream_policy_revision.value_or(0)};
  return {record.resource_policy,
          record.policy_revision.value_or(record.resource_policy ? record.created.milliseconds : 0)};
}

void keep_policy(api::TableRecord& record, bool stream, KeptPolicy policy) {
  (stream ? record.stream_policy : record.resource_policy) = std::move(policy.document);
  (stream ? record.stream_policy_revision : record.policy_revision) = policy.revision;
}

Answer<api::TableRecord> with_policy(const Context& context, const api::TableRecord& current, bool stream,
                                     ChangePolicy change, KeptPolicy& changed) {
  DINETTE_TRY(changed, change(kept_policy(current, stream), current.table_name));
  const api::TableStatus status = state_at(current, context.now).status;
  const bool same = changed.revision == kept_policy(current, stream).revision;
  if (!same && status == api::TableStatus::deleting) return still_in_use(current, status);
  api::TableRecord record = current;
  keep_policy(record, stream, changed);
  return record;
}

}  // namespace

Answer<void> check_policy(const Context& context, std::string_view document) {
  DINETTE_TRY(const iam::Policy policy, parse_policy(document));
  for (const iam::Statement& statement : policy.statements)
    DINETTE_CHECK(check_statement(context, statement));
  return {};
}

KeptPolicy replaced(const KeptPolicy& current, std::optional<std::string> document, codec::Timestamp now) {
  if (document) document = iam::compared_text(*iam::read_policy(*document, iam::PolicyUse::resource));
  if (document == current.document) return current;
  return {std::move(document), std::max<std::int64_t>(now.milliseconds, current.revision + 1)};
}

void set_policy(api::TableRecord& record, std::string_view document, codec::Timestamp now) {
  keep_policy(record, false, replaced({}, std::string(document), now));
}

Answer<KeptPolicy> read_policy(const Context& context, std::string_view arn) {
  DINETTE_TRY(const PolicyOwner owner, open_owner(context, arn));
  return kept_policy(owner.table.record(), owner.stream);
}

std::string shown_document(const KeptPolicy& policy) {
  const auto read = iam::read_policy(*policy.document, iam::PolicyUse::resource, iam::any_length);
  return read.ok() ? iam::canonical_text(*read) : *policy.document;
}

Answer<KeptPolicy> change_policy(const Context& context, std::string_view arn, ChangePolicy change) {
  DINETTE_TRY(const PolicyOwner owner, open_owner(context, arn));
  Answer<void> refusal;
  KeptPolicy changed;
  const auto decide = [&](const store::Table& current) -> std::optional<std::string> {
    auto record =
        with_policy(context, current.schema_as<TableSchema>().record(), owner.stream, change, changed);
    refusal = {};
    if (record) return encode_record(*record);
    refusal = base::Failure{std::move(record).error()};
    return std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated,
                 context.store.catalog().update(*owner.table.table, decide));
  if (!updated) return table_not_found(owner.table.table->name);
  if (!refusal) return base::Failure{std::move(refusal).error()};
  return changed;
}

base::Failure<ApiError> policy_not_found(std::string_view sentence) {
  return base::Failure{
      ApiError{api::ErrorCode::policy_not_found_exception,
               "Resource-based policy not found for the provided ResourceArn: " + std::string(sentence)}};
}

Answer<void> check_revision(const std::optional<std::string>& expected, std::string_view table,
                            const KeptPolicy& current) {
  if (!expected) return {};
  const std::string name(table);
  const std::string revision = std::to_string(current.revision);
  if (*expected == no_policy) {
    if (!current.document) return {};
    return policy_not_found("Requested policy update expecting none to be present for table " + name +
                            ", but a policy exists with revision id " + revision + ".");
  }
  if (current.document && *expected == revision) return {};
  const std::string start = "Requested update for policy with revision id " + *expected + ", but ";
  return policy_not_found(start + (current.document ? "the policy associated to target table " + name +
                                                          " has revision id " + revision + "."
                                                    : "table " + name + " has no associated policy."));
}

Answer<void> check_lock_out(const Context& context, std::string_view arn, std::string_view document) {
  DINETTE_TRY(const iam::Policy policy, parse_policy(document));
  const iam::Identity root = root_user(context.account);
  const iam::Identities none;
  const Access as_root(none, root);
  const Access& caller = context.access ? *context.access : as_root;
  AccessRequest again{"PutResourcePolicy", std::string(arn), std::string(context.account)};
  again.policy = &policy;
  if (caller.judge(context, again).allowed()) return {};
  return base::Failure{
      ApiError{api::ErrorCode::access_denied_exception,
               "The new resource policy will not allow you to update the resource policy in the future."}};
}

}  // namespace dinette::dynamodb
