#pragma once

#include <string_view>
#include <vector>

#include "dinette/definitions/definitions.h"

namespace dinette::app {

// Members of requests, as the commands for table definitions read them.

/// Returns the text of a scalar; empty if there is none.
std::string_view scalar_of(const definitions::Node* node);

/// Returns true if it is the boolean true.
bool is_true(const definitions::Node* node);

/// Returns true if it is the boolean false.
bool is_false(const definitions::Node* node);

/// Returns the elements of a list; none if there is no list.
const std::vector<definitions::Node>& elements_of(const definitions::Node* list);

/// Returns the element of a list whose member `key` is `value`, or null.
const definitions::Node* element_named(const definitions::Node* list, std::string_view key,
                                       std::string_view value);

/// Returns everything that is to be said about a table as one map: the members of CreateTable, and
/// TimeToLiveSpecification and PointInTimeRecoverySpecification of the operations that follow it.
definitions::Node whole_table(const definitions::TableDefinition& table);

/// Returns the operations that follow CreateTable, but those that whole_table() includes.
std::vector<definitions::FollowUp> other_follow_ups(const definitions::TableDefinition& table);

}  // namespace dinette::app
