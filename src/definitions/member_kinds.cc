#include "member_kinds.h"

#include <algorithm>
#include <array>

namespace dinette::definitions {
namespace {

struct KnownMember {
  std::string_view name;
  MemberKind kind;
};

/// Of CreateTable, of the operations that follow it, and of CreateEventSourceMapping; sorted by name.
constexpr auto known_members = [] {
  using enum MemberKind;
  return std::to_array<KnownMember>({
      {"ApproximateCreationDateTimePrecision", text},
      {"AttributeDefinitions", list},
      {"AttributeName", text},
      {"AttributeType", text},
      {"BatchSize", integer},
      {"BillingMode", text},
      {"BisectBatchOnFunctionError", boolean},
      {"ClientToken", text},
      {"ConfirmRemoveSelfResourceAccess", boolean},
      {"ContributorInsightsAction", text},
      {"ContributorInsightsMode", text},
      {"Csv", map},
      {"DeletionProtectionEnabled", boolean},
      {"Delimiter", text},
      {"Destination", text},
      {"DestinationConfig", map},
      {"Dimensions", integer},
      {"DistanceFunction", text},
      {"EnableKinesisStreamingConfiguration", map},
      {"Enabled", boolean},
      {"ExpectedRevisionId", text},
      {"FilterCriteria", map},
      {"Filters", list},
      {"FunctionResponseTypes", list},
      {"GlobalSecondaryIndexes", list},
      {"GlobalTableSettingsReplicationMode", text},
      {"GlobalTableSourceArn", text},
      {"HeaderList", list},
      {"IndexName", text},
      {"InputCompressionType", text},
      {"InputFormat", text},
      {"InputFormatOptions", map},
      {"KMSMasterKeyId", text},
      {"Key", text},
      {"KeySchema", list},
      {"KeyType", text},
      {"LocalSecondaryIndexes", list},
      {"MaxReadRequestUnits", integer},
      {"MaxWriteRequestUnits", integer},
      {"MaximumBatchingWindowInSeconds", integer},
      {"MaximumRecordAgeInSeconds", integer},
      {"MaximumRetryAttempts", integer},
      {"NonKeyAttributes", list},
      {"OnDemandThroughput", map},
      {"OnFailure", map},
      {"ParallelizationFactor", integer},
      {"Pattern", text},
      {"PointInTimeRecoveryEnabled", boolean},
      {"PointInTimeRecoverySpecification", map},
      {"Policy", text},
      {"Projection", map},
      {"ProjectionType", text},
      {"ProvisionedThroughput", map},
      {"ReadCapacityUnits", integer},
      {"ReadUnitsPerSecond", integer},
      {"RecoveryPeriodInDays", integer},
      {"ResourceArn", text},
      {"ResourcePolicy", text},
      {"S3Bucket", text},
      {"S3BucketOwner", text},
      {"S3BucketSource", map},
      {"S3KeyPrefix", text},
      {"SSESpecification", map},
      {"SSEType", text},
      {"SearchSchema", list},
      {"SearchSchemaElementType", text},
      {"StartingPosition", text},
      {"StreamArn", text},
      {"StreamEnabled", boolean},
      {"StreamSpecification", map},
      {"StreamViewType", text},
      {"TableClass", text},
      {"TableCreationParameters", map},
      {"TableName", text},
      {"Tags", list},
      {"TimeToLiveSpecification", map},
      {"TumblingWindowInSeconds", integer},
      {"Value", text},
      {"VectorAttribute", map},
      {"VectorIndexes", list},
      {"WarmThroughput", map},
      {"WriteCapacityUnits", integer},
      {"WriteUnitsPerSecond", integer},
  });
}();

static_assert(std::ranges::is_sorted(known_members, {}, &KnownMember::name));

}  // namespace

std::optional<MemberKind> member_kind(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(known_members, name, {}, &KnownMember::name);
  if (found == known_members.end() || found->name != name) return {};
  return found->kind;
}

}  // namespace dinette::definitions
