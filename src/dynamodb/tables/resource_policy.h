#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/function_ref.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/request/context.h"

/// The policies of tables and of their streams (docs/service/insights-policies-account.md section 2).
namespace dinette::dynamodb {

/// What is kept of a policy. The revision is the time of its last change in epoch milliseconds, and stays
/// when the document is deleted, so that the next one is later.
struct KeptPolicy {
  std::optional<std::string> document = {};  ///< as iam::compared_text() writes it
  std::int64_t revision = 0;
};

/// Checks the document of a policy: its form, its size, who gets what.
Answer<void> check_policy(const Context& context, std::string_view document);

/// Gives a new table the policy that check_policy() accepts.
void set_policy(api::TableRecord& record, std::string_view document, codec::Timestamp now);

/// Returns the policy of the table or stream.
Answer<KeptPolicy> read_policy(const Context& context, std::string_view arn);

/// Returns the new policy, made of the current one; may run more than once.
using ChangePolicy = base::FunctionRef<Answer<KeptPolicy>(const KeptPolicy& current, std::string_view table)>;

/// Returns the document of a policy that there is, as GetResourcePolicy shows it.
std::string shown_document(const KeptPolicy& policy);

/// Changes the policy of the table or stream. Returns it as it is then.
Answer<KeptPolicy> change_policy(const Context& context, std::string_view arn, ChangePolicy change);

/// Returns `current` with another document, or none, and a later revision; the same if it says the same.
KeptPolicy replaced(const KeptPolicy& current, std::optional<std::string> document, codec::Timestamp now);

/// Checks that the revision that a request expects is the current one: a number, or NO_POLICY.
Answer<void> check_revision(const std::optional<std::string>& expected, std::string_view table,
                            const KeptPolicy& current);

/// Checks that the caller could replace a policy that it puts there.
Answer<void> check_lock_out(const Context& context, std::string_view arn, std::string_view document);

base::Failure<ApiError> policy_not_found(std::string_view sentence);

}  // namespace dinette::dynamodb
