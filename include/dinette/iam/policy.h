#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/result.h"

/// Policies of AWS Identity and Access Management: what a document says, and what follows from it for a
/// request (IAM User Guide, "IAM JSON policy elements reference" and "Policy evaluation logic"). Knows no
/// service.
namespace dinette::iam {

/// The longest document, in bytes. Of a policy that is attached to a resource, white space counts.
inline constexpr std::size_t longest_policy = 20'480;
inline constexpr std::size_t any_length = std::numeric_limits<std::size_t>::max();

enum class Effect : std::uint8_t { allow, deny };

/// Where a document is attached, which decides the elements that it must and must not have.
enum class PolicyUse : std::uint8_t {
  identity,  ///< to a user, a group, a role or a session, or as a boundary: has no Principal
  resource,  ///< to a table, for example: has a Principal
};

enum class Comparison : std::uint8_t {
  string_equals,
  string_equals_ignore_case,
  string_like,
  numeric_equals,
  numeric_less,
  numeric_less_equals,
  numeric_greater,
  numeric_greater_equals,
  date_equals,
  date_less,
  date_less_equals,
  date_greater,
  date_greater_equals,
  boolean,
  binary_equals,
  ip_address,
  arn_like,
  null,
};

enum class Quantifier : std::uint8_t { none, for_all_values, for_any_value };

/// `ForAnyValue:StringNotLikeIfExists` is string_like, negated, if_exists, for_any_value.
struct ConditionOperator {
  Comparison comparison = Comparison::string_equals;
  bool negated = false;
  bool if_exists = false;
  Quantifier quantifier = Quantifier::none;
};

/// Returns false if there is no operator of that name.
bool read_operator(std::string_view name, ConditionOperator& out);

struct Condition {
  std::string name;  ///< of the operator, as it is written
  ConditionOperator op;
  std::string key;  ///< such as "dynamodb:LeadingKeys"; compared without regard to case
  std::vector<std::string> values;
};

struct Principals {
  bool negated = false;   ///< it is a NotPrincipal
  bool everyone = false;  ///< "*" or {"AWS": "*"}
  std::vector<std::string> aws = {};
  /// Services, identity providers and canonical users, with the name of their kind: no caller is one.
  std::vector<std::pair<std::string, std::string>> others = {};
};

/// A list of patterns that a request must match, or must not: Action and NotAction, Resource and NotResource.
struct Patterns {
  bool negated = false;
  std::vector<std::string> values = {};
};

struct Statement {
  std::string sid = {};
  Effect effect = Effect::deny;
  Principals principals = {};  ///< of a policy that is attached to a resource
  Patterns actions = {};
  Patterns resources = {};
  std::vector<Condition> conditions = {};
};

struct Policy {
  std::string version = "2008-10-17";
  std::string id = {};
  std::vector<Statement> statements = {};
  bool names_version = false;  ///< the document has a Version

  /// Variables such as ${aws:username} are text in policies of the first version.
  bool has_variables() const { return version == "2012-10-17"; }
};

/// Reads a document. The error is a sentence without the name of the policy; those of
/// docs/service/insights-policies-account.md section 2 are the service's. What compared_text() returns may be
/// longer than a document that is sent: read it with `any_length`. Throws std::bad_alloc.
base::Result<Policy, std::string> read_policy(std::string_view json, PolicyUse use,
                                              std::size_t longest = longest_policy);

/// Returns the document as the service returns it: compact, with elements in one order, lists of one element
/// as text, accounts as the ARN of their root user, and always with a Version
/// (docs/service/insights-policies-account.md section 2).
std::string canonical_text(const Policy& policy);

/// Returns the text by which the service compares documents: the same, but without a Version that the
/// document does not have.
std::string compared_text(const Policy& policy);

}  // namespace dinette::iam
