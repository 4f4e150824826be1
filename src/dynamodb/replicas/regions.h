#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The regions that may have replicas (docs/service/global-tables.md).
namespace dinette::dynamodb {

/// Returns true for a region of the service that may have a replica.
bool may_have_replica(std::string_view region);

/// Returns `[us-east-1, us-east-2, ...]`: all of them.
std::string regions_in_words();

/// Returns true if tables with multi-region strong consistency may be in all of these regions together.
bool may_be_strong(const std::vector<std::string>& regions);
/// Returns true if they may be in this one, with others.
bool may_be_strong(std::string_view region);

/// Returns true for a region that the version 2017.11.29 never had.
bool is_newer_than_legacy(std::string_view region);

/// The regions of the version 2017.11.29, and all that the model knows, as its messages list them.
std::string legacy_regions_in_words();

}  // namespace dinette::dynamodb
