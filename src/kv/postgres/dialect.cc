#include "kv/postgres/dialect.h"

#include <array>

namespace dinette::kv::postgres {
namespace {

// A row of dn_kv is a part of a key (keys.h) and
//   slot 0    a value, or null where the part is a branch;
//   slot 1..  one part of one counter (counters.h): n.
// The rows of one key are next to each other, so that a page of keys has them in one scan of the primary key.
constexpr std::string_view schema[] = {
    // Two servers that start at once make them one after the other.
    "select pg_advisory_xact_lock(4996547812648137)",
    "create table if not exists dn_kv ("
    " world int8 not null, parent bytea not null, part bytea not null, slot int4 not null,"
    " version int8 not null, n int8, value bytea, primary key (world, parent, part, slot))"
    " with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02,"
    " toast.autovacuum_vacuum_scale_factor = 0.02)",
    // Not every server is built with LZ4. Its own compression takes twice the time of storing large values.
    "do $$ begin alter table dn_kv alter column value set compression lz4;"
    " exception when feature_not_supported then null; end $$",
    // Names are the bytes of their text, so that their order is that of bytes.
    "create table if not exists dn_world (name bytea primary key, world int8 not null, note bytea not null)",
    // Worlds that no name has: their rows may go when the server that made them says so, or is gone.
    "create table if not exists dn_left (world int8 primary key, server int8 not null, seen timestamptz not "
    "null)",
    "create table if not exists dn_lane (server int8, lane int4, op int8 not null, primary key (server, "
    "lane))",
    "create table if not exists dn_schema (version int8 primary key)",
    "create sequence if not exists dn_n",
    "create sequence if not exists dn_server",
    "create sequence if not exists dn_next_world",
    "create table if not exists dn_fence_0 ()",
    "create table if not exists dn_fence_1 ()",
    "create table if not exists dn_fence_2 ()",
    "create table if not exists dn_fence_3 ()",
    // The servers that are there, and what each has seen; what they agree on, in one row; where work is left.
    "create table if not exists dn_member (server int8 primary key, seen int8 not null, until timestamptz "
    "not "
    "null)",
    "create table if not exists dn_agreed (one bool primary key check (one), change int8 not null,"
    " worker int8 not null, until timestamptz not null, wanted int8 not null)",
    "insert into dn_agreed values (true, 0, 0, '-infinity', 0) on conflict do nothing",
    "create table if not exists dn_change (change int8 primary key, world int8 not null)",
    "create table if not exists dn_work (world int8 primary key, n int8 not null)",
    "delete from dn_schema where version < 2",
    "insert into dn_schema values (2) on conflict do nothing",
};

// A fence is a table without rows, because of all locks only that of LOCK TABLE can be waited for before a
// repeatable read begins (PostgreSQL's page on LOCK). Worlds share fences: one for each would be a table for
// each. LOCK TABLE needs a transaction block, which a commit is not: it holds the same lock by a DELETE.
struct Fence {
  Statement hold;
  std::string_view wait;
};
constexpr std::array<Fence, 4> fences = {{
    {Statement::hold_fence_0, "lock table dn_fence_0 in share mode"},
    {Statement::hold_fence_1, "lock table dn_fence_1 in share mode"},
    {Statement::hold_fence_2, "lock table dn_fence_2 in share mode"},
    {Statement::hold_fence_3, "lock table dn_fence_3 in share mode"},
}};

const Fence& fence_of(std::int64_t world) {
  return fences[static_cast<std::uint64_t>(world) % fences.size()];
}

}  // namespace

// Plans are made once per connection (text::settle_plans), perhaps when the table is empty. So no statement
// joins dn_kv with something, where the planner could choose to read the whole world and compare: all find
// their rows by conditions on the leading columns of the primary key, and `offset 0` keeps a subquery apart.
std::string_view statement_text(Statement statement) {
  switch (statement) {
    case Statement::get:  // world, parent, part
      return "select slot, version, n, value from dn_kv where world = $1 and parent = $2 and part = $3";
    case Statement::get_many:  // world, parents, parts; the first column is the index from 1
      return "select x.i, k.slot, k.version, k.n, k.value"
             " from unnest($2::bytea[], $3::bytea[]) with ordinality x(parent, part, i), lateral ("
             "select slot, version, n, value from dn_kv"
             " where world = $1 and parent = x.parent and part = x.part offset 0) k";

    case Statement::page_up:  // world, parent, from, limit, to
      return "select part, slot, n, value from dn_kv"
             " where world = $1 and parent = $2 and part >= $3 and part < $5 order by part, slot limit $4";
    case Statement::page_up_to_end:  // world, parent, from, limit
      return "select part, slot, n, value from dn_kv"
             " where world = $1 and parent = $2 and part >= $3 order by part, slot limit $4";
    case Statement::page_down:
      return "select part, slot, n, value from dn_kv"
             " where world = $1 and parent = $2 and part >= $3 and part < $5"
             " order by part desc, slot desc limit $4";
    case Statement::page_down_from_end:
      return "select part, slot, n, value from dn_kv"
             " where world = $1 and parent = $2 and part >= $3 order by part desc, slot desc limit $4";

    case Statement::lock_names:  // hashes, whether shared; in the order of the arrays; the longest wait for
                                 // each, as text, which holds until the end of the transaction
      return "select count(case when x.shared then pg_advisory_xact_lock_shared(x.name)::text"
             " else pg_advisory_xact_lock(x.name)::text end)"
             " from (select set_config('lock_timeout', $3, true) offset 0) s,"
             " unnest($1::int8[], $2::bool[]) x(name, shared)";
    case Statement::verify:  // world, parents, parts, digests; fails if one is different
      return "select 1 / (count(*) = 0)::int"
             " from unnest($2::bytea[], $3::bytea[], $4::int8[]) x(parent, part, digest)"
             " where x.digest <> coalesce((select bit_xor(k.version) from dn_kv k"
             " where k.world = $1 and k.parent = x.parent and k.part = x.part), 0)";

    case Statement::erase:  // world, parents, parts
      return "delete from dn_kv k where k.world = $1 and k.parent = any($2::bytea[])"
             " and k.part = any($3::bytea[]) and exists (select from unnest($2, $3) x(parent, part)"
             " where x.parent = k.parent and x.part = k.part offset 0)";
    case Statement::erase_parts:  // the same
      return "delete from dn_kv k where k.world = $1 and k.parent = any($2::bytea[])"
             " and k.part = any($3::bytea[]) and k.slot > 0 and exists (select from unnest($2, $3) x(parent, "
             "part)"
             " where x.parent = k.parent and x.part = k.part offset 0)";
    case Statement::erase_range:  // world, parent, from, size of a branch's part, to; with what is below
                                  // branches
      return "with recursive branch as ("
             " select parent, part from dn_kv"
             " where world = $1 and parent = $2 and part >= $3 and part < $5 and octet_length(part) = $4"
             " union all"
             " select k.parent, k.part from branch b, lateral (select parent, part from dn_kv where world = "
             "$1"
             " and parent = sha256(b.parent || b.part) and octet_length(part) = $4 offset 0) k),"
             " below as (delete from dn_kv where world = $1"
             " and parent = any(array(select sha256(parent || part) from branch)))"
             " delete from dn_kv where world = $1 and parent = $2 and part >= $3 and part < $5";
    case Statement::erase_range_to_end:
      return "with recursive branch as ("
             " select parent, part from dn_kv"
             " where world = $1 and parent = $2 and part >= $3 and octet_length(part) = $4"
             " union all"
             " select k.parent, k.part from branch b, lateral (select parent, part from dn_kv where world = "
             "$1"
             " and parent = sha256(b.parent || b.part) and octet_length(part) = $4 offset 0) k),"
             " below as (delete from dn_kv where world = $1"
             " and parent = any(array(select sha256(parent || part) from branch)))"
             " delete from dn_kv where world = $1 and parent = $2 and part >= $3";

    case Statement::make_branches:  // world, parents, parts
      return "insert into dn_kv (world, parent, part, slot, version)"
             " select $1::int8, x.parent, x.part, 0, 0 from unnest($2::bytea[], $3::bytea[]) x(parent, part)"
             " order by 2, 3 on conflict do nothing";
    case Statement::write:  // world, version, parents, parts, slots, increments, values
      return "insert into dn_kv as k (world, parent, part, slot, version, n, value)"
             " select $1::int8, x.parent, x.part, x.slot, $2::int8, case when x.slot > 0 then x.n end,"
             " case when x.slot = 0 then x.value end"
             " from unnest($3::bytea[], $4::bytea[], $5::int4[], $6::int8[], $7::bytea[])"
             " x(parent, part, slot, n, value) order by 2, 3, 4"
             " on conflict (world, parent, part, slot)"
             " do update set version = excluded.version, n = k.n + excluded.n, value = excluded.value";
    case Statement::next_number:
      return "select nextval('dn_n')";
    case Statement::append:  // world, version, parents, parts, indexes, values; returns the number
      return "with d as materialized (select nextval('dn_n') as n), written as ("
             "insert into dn_kv (world, parent, part, slot, version, value)"
             " select $1::int8, x.parent, x.part || int8send(d.n) || int4send(x.i), 0, $2::int8, x.value"
             " from d, unnest($3::bytea[], $4::bytea[], $5::int4[], $6::bytea[]) x(parent, part, i, value))"
             " select n from d";

    case Statement::use_lane:  // server, lane, operation; fails if the lane has been claimed
      return "with used as (update dn_lane set op = $3::int8"
             " where server = $1 and lane = $2 and op = $3::int8 - 1 returning 1) select 1 / count(*) from "
             "used";
    case Statement::claim_lane:  // server, lane, a bit; returns its last operation, with the bit
      return "update dn_lane set op = op | $3::int8 where server = $1 and lane = $2 returning op";
    case Statement::last_appended:  // world, version, parent, from, to; parts, the last first
      return "select part from dn_kv where world = $1 and version = $2 and parent = $3 and part >= $4"
             " and part < $5 order by part desc limit 1";
    case Statement::hold_fence_0:
      return "delete from dn_fence_0";
    case Statement::hold_fence_1:
      return "delete from dn_fence_1";
    case Statement::hold_fence_2:
      return "delete from dn_fence_2";
    case Statement::hold_fence_3:
      return "delete from dn_fence_3";

    case Statement::make_world:  // server; returns its number
      return "insert into dn_left select nextval('dn_next_world'), $1::int8, now() returning world";
    case Statement::kept_worlds:  // names, numbers, notes
      return "select name, world, note from dn_world order by name";
    case Statement::leave_kept:  // name, server
      return "insert into dn_left select world, $2::int8, now() from dn_world where name = $1"
             " on conflict do nothing";
    case Statement::keep:  // name, number, note
      return "insert into dn_world values ($1, $2, $3)"
             " on conflict (name) do update set world = excluded.world, note = excluded.note";
    case Statement::keep_new:  // the same
      return "insert into dn_world values ($1, $2, $3) on conflict (name) do nothing";
    case Statement::forget:  // name
      return "delete from dn_world where name = $1";
    case Statement::take_back_kept:
      return "delete from dn_left l using dn_world w where w.world = l.world";
    case Statement::use_left:  // server
      return "update dn_left set seen = now() where server = $1";
    case Statement::left_worlds:  // server; its own, and those of servers that have not been seen for long
      return "select world from dn_left where server = $1 or seen < now() - interval '1 day'";
    case Statement::erase_some:  // world, how many rows
      return "delete from dn_kv where ctid = any(array(select ctid from dn_kv where world = $1 limit $2))"
             " returning 1";
    case Statement::erase_left:  // world
      return "delete from dn_left where world = $1";

    // A server is there for three seconds after it has said so, and so is the one that does the work.
    case Statement::keep_member:  // server, the change that it has seen
      return "insert into dn_member as m values ($1, $2, clock_timestamp() + interval '3 s') on conflict "
             "(server)"
             " do update set seen = greatest(m.seen, excluded.seen), until = excluded.until";
    case Statement::leave_members:  // server
      return "delete from dn_member where server = $1 or until < now() - interval '1 hour'";
    case Statement::look_at_members:
      return "select change, worker, until > clock_timestamp(), wanted, (select last_value from dn_n),"
             " (select count(*) from dn_member where until > clock_timestamp()) from dn_agreed";
    case Statement::agree_on_change:  // world
      return "with agreed as (update dn_agreed set change = change + 1 returning change)"
             " insert into dn_change select change, $1::int8 from agreed returning change";
    case Statement::changes:  // after and up to; one row for each
      return "select world from dn_change where change > $1 and change <= $2";
    case Statement::forget_changes:
      return "delete from dn_change where change <= (select min(seen) from dn_member where until > "
             "clock_timestamp())";
    case Statement::count_unseeing:  // change
      return "select count(*) from dn_member where until > clock_timestamp() and seen < $1";
    case Statement::renew_work:  // server
      return "update dn_agreed set until = clock_timestamp() + interval '3 s' where worker = $1 returning "
             "worker";
    case Statement::take_free_work:  // server
      return "update dn_agreed set worker = $1, until = clock_timestamp() + interval '3 s', wanted = 0"
             " where until < clock_timestamp() returning worker";
    case Statement::want_work:  // server
      return "update dn_agreed set wanted = $1 where worker <> $1";
    case Statement::hand_work_over:  // server
      return "update dn_agreed set worker = wanted, until = clock_timestamp() + interval '3 s', wanted = 0"
             " where worker = $1 and wanted <> 0";
    case Statement::give_work_up:  // server
      return "update dn_agreed set until = '-infinity' where worker = $1";
    case Statement::wait_for_workers:
      return "select count(pg_advisory_xact_lock(4996547812648138)::text)";
    case Statement::hold_off_workers:  // until the end of the transaction
      return "select count(pg_advisory_xact_lock_shared(4996547812648138)::text)";
    case Statement::check_worker:  // server; fails if it is another
      return "select 1 / count(*) from dn_agreed where worker = $1 and until > clock_timestamp()";
    case Statement::leave_work:  // world
      return "insert into dn_work as w values ($1, 1) on conflict (world) do update set n = w.n + 1";
    case Statement::left_work:
      return "select world, n from dn_work";
    case Statement::count:
      break;
  }
  return {};
}

std::span<const std::string_view> schema_statements() {
  return schema;
}

Statement hold_fence(std::int64_t world) {
  return fence_of(world).hold;
}

std::string_view wait_at_fence(std::int64_t world) {
  return fence_of(world).wait;
}

// What the relatives lack for this engine, from docs/service-postgres.md section 7 and 10. Until its
// statements have passed the contract's suite there, a relative is refused: one that ignores a lock loses
// writes silently.
//
// CockroachDB: session and transaction advisory locks were functions that did nothing (cockroachdb/cockroach
// #13546, #168353); LOCK TABLE does not exist; two `for update` may both succeed (#88995); a statement may
// not change a table twice (#70976). Would need: serializable transactions that are repeated after 40001,
// `cluster_logical_timestamp()` for numbers, `upsert` for `put`, no advisory locks and no fence.
// YugabyteDB: the first column of a key is hashed unless the key says `asc`, which PostgreSQL refuses (its
// page on data sharding); a sequence gives blocks of numbers to connections, out of the order of commits (its
// page on nextval); LOCK TABLE knows ACCESS SHARE only; read committed has to be enabled (its page on
// isolation levels). Would need: `asc` in the key, one locked row per world in place of sequence and fence.
std::optional<std::string> explain_unusable(std::string_view version, int version_number) {
  constexpr int oldest = 150000;
  const auto refuse = [](const char* name) {
    return std::string(name) +
           " speaks PostgreSQL's protocol but lacks locks that this engine needs; "
           "it is not supported. Use PostgreSQL 15 or newer";
  };
  if (version.find("CockroachDB") != std::string_view::npos) return refuse("CockroachDB");
  if (version.find("-YB-") != std::string_view::npos) return refuse("YugabyteDB");
  if (version_number < oldest)
    return "PostgreSQL 15 or newer is needed; this is " +
           std::string(version.substr(0, version.find(" on ")));
  return std::nullopt;
}

}  // namespace dinette::kv::postgres
