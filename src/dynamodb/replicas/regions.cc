#include "dynamodb/replicas/regions.h"

#include <algorithm>
#include <array>
#include <span>

namespace dinette::dynamodb {
namespace {

constexpr auto all_regions = std::to_array<std::string_view>(
    {"af-south-1",     "ap-east-1",      "ap-east-2",      "ap-northeast-1", "ap-northeast-2",
     "ap-northeast-3", "ap-south-1",     "ap-south-2",     "ap-southeast-1", "ap-southeast-2",
     "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7",
     "ca-central-1",   "ca-west-1",      "eu-central-1",   "eu-central-2",   "eu-north-1",
     "eu-south-1",     "eu-south-2",     "eu-west-1",      "eu-west-2",      "eu-west-3",
     "il-central-1",   "me-central-1",   "me-south-1",     "mx-central-1",   "sa-east-1",
     "us-east-1",      "us-east-2",      "us-west-1",      "us-west-2",      "us-gov-east-1",
     "us-gov-west-1",  "cn-north-1",     "cn-northwest-1"});

// Those in which the version 2017.11.29 was offered.
constexpr auto legacy_regions = std::to_array<std::string_view>(
    {"eu-west-2", "us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-central-1", "eu-west-1",
     "ap-northeast-1", "ap-northeast-2", "ap-southeast-1", "ap-southeast-2"});

// Regions of one set may be combined.
constexpr auto strong_in_america = std::to_array<std::string_view>({"us-east-1", "us-east-2", "us-west-2"});
constexpr auto strong_in_europe =
    std::to_array<std::string_view>({"eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1"});
constexpr auto strong_in_asia =
    std::to_array<std::string_view>({"ap-northeast-1", "ap-northeast-2", "ap-northeast-3"});

using Regions = std::span<const std::string_view>;
constexpr Regions strong_sets[] = {strong_in_america, strong_in_europe, strong_in_asia};

bool has(Regions regions, std::string_view region) {
  return std::ranges::find(regions, region) != regions.end();
}

std::string in_words(Regions regions) {
  std::string words;
  for (const std::string_view region : regions) words.append(words.empty() ? "[" : ", ").append(region);
  return words + "]";
}

}  // namespace

bool may_have_replica(std::string_view region) {
  return has(all_regions, region);
}

std::string regions_in_words() {
  return in_words(all_regions);
}

bool may_be_strong(const std::vector<std::string>& regions) {
  return std::ranges::any_of(strong_sets, [&](Regions set) {
    return std::ranges::all_of(regions, [&](const std::string& region) { return has(set, region); });
  });
}

bool may_be_strong(std::string_view region) {
  return std::ranges::any_of(strong_sets, [&](Regions set) { return has(set, region); });
}

bool is_newer_than_legacy(std::string_view region) {
  return !has(legacy_regions, region);
}

std::string legacy_regions_in_words() {
  return in_words(legacy_regions);
}

}  // namespace dinette::dynamodb
