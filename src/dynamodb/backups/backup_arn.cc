#include "dynamodb/backups/backup_arn.h"

#include <algorithm>
#include <array>

#include <boost/algorithm/string/predicate.hpp>

#include "dinette/aws/arn.h"
#include "dinette/aws/region.h"

#include "dynamodb/model/resource_arn.h"
#include "dynamodb/tables/backup_entry.h"

namespace dinette::dynamodb {
namespace {

/// Of the partition `aws`.
constexpr std::array<std::string_view, 34> regions = {
    "af-south-1",     "ap-east-1",      "ap-east-2",      "ap-northeast-1", "ap-northeast-2",
    "ap-northeast-3", "ap-south-1",     "ap-south-2",     "ap-southeast-1", "ap-southeast-2",
    "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7",
    "ca-central-1",   "ca-west-1",      "eu-central-1",   "eu-central-2",   "eu-north-1",
    "eu-south-1",     "eu-south-2",     "eu-west-1",      "eu-west-2",      "eu-west-3",
    "il-central-1",   "me-central-1",   "me-south-1",     "mx-central-1",   "sa-east-1",
    "us-east-1",      "us-east-2",      "us-west-1",      "us-west-2"};

/// The caller's own may be of any name.
bool is_region(const Context& context, std::string_view name) {
  return boost::iequals(name, context.region) ||
         std::ranges::any_of(regions, [&](std::string_view region) { return boost::iequals(name, region); });
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_table_name(std::string_view name) {
  constexpr std::size_t shortest = 3;
  constexpr std::size_t longest = 255;
  return name.size() >= shortest && name.size() <= longest && std::ranges::all_of(name, [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
                  c == '-';
         });
}

}  // namespace

std::string BackupArn::key() const {
  return backup_key(id, table_name);
}

Answer<BackupArn> parse_backup_arn(const Context& context, std::string_view text) {
  constexpr std::string_view part = "backup/";
  const auto arn = aws::parse_arn(text);
  if (!arn) return validation("Invalid Backup ARN");
  if (arn->account != context.account)
    return base::Failure{ApiError{api::ErrorCode::access_denied_exception, "Access is denied"}};
  const auto table = model::parse_table_resource(arn->resource);
  if (!table || !table->part.starts_with(part) || !is_table_name(table->name))
    return validation("Invalid Backup ARN");
  const BackupArn backup{text, arn->region, table->name, table->part.substr(part.size())};
  const bool valid = arn->partition == aws::partition_of(arn->region) && arn->service == "dynamodb" &&
                     is_region(context, arn->region) && model::is_dated_id(backup.id);
  if (!valid) return validation("Invalid Request: BackupArn is not valid");
  return backup;
}

}  // namespace dinette::dynamodb
