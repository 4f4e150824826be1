#pragma once

#include <string>
#include <thread>
#include <vector>

#include "support/dynamodb.h"

/// Several clients at work on the same few items.
namespace test {

inline const std::vector<std::string> shared_tables = {"Tab", "Other"};

/// Runs `work(thread)` in each thread and waits for all.
template <class Work>
void in_threads(int count, Work work) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < count; ++thread) threads.emplace_back([&work, thread] { work(thread); });
}

/// Items are in turn in the one table and in the other one.
inline std::string table_of(int item) {
  return shared_tables[static_cast<std::size_t>(item) % shared_tables.size()];
}

inline std::string name_of(int item) {
  return "item" + std::to_string(item);
}

inline Json place_of(int item) {
  return {{"TableName", table_of(item)}, {"Key", {{"pk", {{"S", name_of(item)}}}}}};
}

inline Json number(int value) {
  return {{"N", std::to_string(value)}};
}

/// The statement `verb "table" clause WHERE pk = ... rest`, such as UPDATE "Tab" SET n = 1 WHERE pk =
/// 'item0'.
inline std::string statement_about(int item, std::string_view verb, std::string_view clause = "",
                                   std::string_view rest = "") {
  std::string text = std::string(verb) + " \"" + table_of(item) + "\" ";
  return text.append(clause).append(" WHERE pk = '").append(name_of(item)).append("'").append(rest);
}

inline std::string select_of(int item) {
  return statement_about(item, "SELECT * FROM");
}

/// A TransactGetItems of these items, or the same as an ExecuteTransaction.
inline Reply read_together(DynamoDb& db, const std::vector<int>& items, bool as_statements) {
  Json members = Json::array();
  for (const int item : items) {
    if (as_statements)
      members.push_back({{"Statement", select_of(item)}});
    else
      members.push_back({{"Get", place_of(item)}});
  }
  if (as_statements) return db.call("ExecuteTransaction", Json{{"TransactStatements", members}});
  return db.call("TransactGetItems", Json{{"TransactItems", members}});
}

inline dinette::dynamodb::ServiceOptions with_conflicts(bool refused) {
  dinette::dynamodb::ServiceOptions options;
  options.refuse_conflicts = refused;
  return options;
}

/// Returns true if the request met another one that its server refuses it for.
inline bool is_conflict(const Reply& reply) {
  return reply.error() == "TransactionConflictException" ||
         (reply.error() == "TransactionCanceledException" &&
          reply.body.find("TransactionConflict") != std::string::npos);
}

/// Returns true if a condition did not hold.
inline bool is_condition_failure(const Reply& reply) {
  return reply.error() == "ConditionalCheckFailedException" ||
         (reply.error() == "TransactionCanceledException" &&
          reply.body.find("ConditionalCheckFailed") != std::string::npos);
}

}  // namespace test
