#include "app/tables/members.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace dinette::app {

using definitions::FollowUp;
using definitions::Node;
using definitions::TableDefinition;

namespace {

// Operations that follow CreateTable, and the member with which CloudFormation says the same.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> included_follow_ups{{
    {"UpdateTimeToLive", "TimeToLiveSpecification"},
    {"UpdateContinuousBackups", "PointInTimeRecoverySpecification"},
}};

bool is_included(const FollowUp& follow_up) {
  return std::ranges::any_of(included_follow_ups,
                             [&](const auto& included) { return included.first == follow_up.operation; });
}

}  // namespace

std::string_view scalar_of(const Node* node) {
  return node == nullptr ? std::string_view() : std::string_view(node->scalar());
}

bool is_true(const Node* node) {
  return node != nullptr && node->kind() == Node::Kind::boolean && node->scalar() == "true";
}

bool is_false(const Node* node) {
  return node != nullptr && node->kind() == Node::Kind::boolean && node->scalar() == "false";
}

const std::vector<Node>& elements_of(const Node* list) {
  static const std::vector<Node> none;
  return list == nullptr ? none : list->elements();
}

const Node* element_named(const Node* list, std::string_view key, std::string_view value) {
  for (const Node& element : elements_of(list)) {
    if (scalar_of(element.find(key)) == value) return &element;
  }
  return nullptr;
}

Node whole_table(const TableDefinition& table) {
  Node whole = table.create;
  for (const auto& [operation, member] : included_follow_ups) {
    const Node* const input = table.follow_up(operation);
    const Node* const value = input == nullptr ? nullptr : input->find(member);
    if (value != nullptr) whole.set(member, *value);
  }
  return whole;
}

std::vector<FollowUp> other_follow_ups(const TableDefinition& table) {
  std::vector<FollowUp> others;
  std::ranges::copy_if(table.follow_ups, std::back_inserter(others),
                       [](const FollowUp& follow_up) { return !is_included(follow_up); });
  return others;
}

}  // namespace dinette::app
