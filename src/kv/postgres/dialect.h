#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dinette/kv/error.h"

/// All SQL of this engine, and what differs between PostgreSQL and the databases that speak its protocol.
namespace dinette::kv::postgres {

/// Statements that are prepared once per connection. Their parameters: `statement_text`.
enum class Statement : std::uint8_t {
  get,
  get_many,
  page_up,
  page_up_to_end,
  page_down,
  page_down_from_end,
  lock_names,
  verify,
  erase,
  erase_parts,
  erase_range,
  erase_range_to_end,
  make_branches,
  write,
  next_number,
  append,
  use_lane,
  claim_lane,
  last_appended,
  hold_fence_0,
  hold_fence_1,
  hold_fence_2,
  hold_fence_3,
  make_world,
  kept_worlds,
  leave_kept,
  keep,
  keep_new,
  forget,
  take_back_kept,
  use_left,
  left_worlds,
  erase_some,
  erase_left,
  keep_member,
  leave_members,
  look_at_members,
  agree_on_change,
  changes,
  forget_changes,
  count_unseeing,
  renew_work,
  take_free_work,
  want_work,
  hand_work_over,
  give_work_up,
  wait_for_workers,
  hold_off_workers,
  check_worker,
  leave_work,
  left_work,
  count
};

constexpr std::size_t statement_count = static_cast<std::size_t>(Statement::count);

/// Returns the text, with its parameters.
std::string_view statement_text(Statement statement);

/// Returns the statements that make the tables that do not exist, also next to those of an earlier version.
/// To be executed in one transaction.
std::span<const std::string_view> schema_statements();

/// The version of the tables. Programs refuse another one.
constexpr std::int64_t schema_version = 2;

/// Statements without parameters, which are not prepared.
namespace text {
/// What a session begins with. Every statement has one good plan, by the primary key: it is made once,
/// whatever the statistics say at that moment. Plans without an index, for small tables, seem expensive then;
/// they must not be compiled for that.
inline constexpr std::string_view settle_plans =
    "select set_config('plan_cache_mode', 'force_generic_plan', false),"
    " set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),"
    " set_config('enable_mergejoin', 'off', false), set_config('jit', 'off', false)";
inline constexpr std::string_view begin = "begin isolation level read committed";
inline constexpr std::string_view begin_snapshot = "begin isolation level repeatable read";
inline constexpr std::string_view savepoint = "savepoint fence";
inline constexpr std::string_view release_fence = "rollback to savepoint fence";
inline constexpr std::string_view look = "select 1";
inline constexpr std::string_view commit = "commit";
inline constexpr std::string_view rollback = "rollback";
}  // namespace text

/// Returns the statement by which a commit in commit order holds the fence of its world, from before it gets
/// its number until it is visible. Commits share it.
Statement hold_fence(std::int64_t world);
/// Waits until no commit holds the fence. Takes no snapshot, unlike any function that locks.
std::string_view wait_at_fence(std::int64_t world);

/// Returns why this engine does not use the database that answers `select version()` with `version`, as a
/// sentence for the user; nothing if it does.
std::optional<std::string> explain_unusable(std::string_view version, int version_number);

}  // namespace dinette::kv::postgres
