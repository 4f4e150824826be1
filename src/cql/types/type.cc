#include "cql/types/type.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"

namespace dinette::cql {
namespace {

struct NativeName {
  std::string_view name;
  Kind kind;
};

constexpr std::array native_names = {
    NativeName{"ascii", Kind::ascii},       NativeName{"bigint", Kind::bigint},
    NativeName{"blob", Kind::blob},         NativeName{"boolean", Kind::boolean},
    NativeName{"counter", Kind::counter},   NativeName{"date", Kind::date},
    NativeName{"decimal", Kind::decimal},   NativeName{"double", Kind::double_},
    NativeName{"duration", Kind::duration}, NativeName{"float", Kind::float_},
    NativeName{"inet", Kind::inet},         NativeName{"int", Kind::int_},
    NativeName{"smallint", Kind::smallint}, NativeName{"text", Kind::text},
    NativeName{"time", Kind::time},         NativeName{"timestamp", Kind::timestamp},
    NativeName{"timeuuid", Kind::timeuuid}, NativeName{"tinyint", Kind::tinyint},
    NativeName{"uuid", Kind::uuid},         NativeName{"varchar", Kind::text},
    NativeName{"varint", Kind::varint},
};

constexpr auto reserved_words = std::to_array<std::string_view>(
    {"add",    "allow",    "alter",        "and",     "apply",       "asc",      "authorize", "batch",
     "begin",  "by",       "columnfamily", "create",  "default",     "delete",   "desc",      "describe",
     "drop",   "entries",  "execute",      "from",    "full",        "grant",    "if",        "in",
     "index",  "infinity", "insert",       "into",    "is",          "keyspace", "limit",     "materialized",
     "mbean",  "mbeans",   "modify",       "nan",     "norecursive", "not",      "null",      "of",
     "on",     "or",       "order",        "primary", "rename",      "replace",  "revoke",    "schema",
     "select", "set",      "table",        "to",      "token",       "truncate", "unlogged",  "unset",
     "update", "use",      "using",        "view",    "where",       "with"});
static_assert(std::ranges::is_sorted(reserved_words));

/// The names of what has arguments.
std::string_view generic_name(Kind kind) {
  switch (kind) {
    case Kind::list:
      return "list";
    case Kind::set:
      return "set";
    case Kind::map:
      return "map";
    default:
      return "tuple";
  }
}

std::string name_of(const Type& type) {
  if (type.kind == Kind::custom) return "'" + type.name + "'";
  if (type.kind == Kind::udt) return name_in_cql(type.name);
  const auto native = std::ranges::find(native_names, type.kind, &NativeName::kind);
  if (native != native_names.end()) return std::string(native->name);
  std::string text(generic_name(type.kind));
  std::string_view before = "<";
  for (const Type& argument : type.arguments) {
    text.append(before).append(to_text(argument));
    before = ", ";
  }
  return text + ">";
}

void append_short_string(std::string& out, std::string_view text) {
  base::append_big_endian(out, static_cast<std::uint16_t>(text.size()));
  out += text;
}

}  // namespace

std::optional<Kind> native_kind(std::string_view name) {
  const auto found = std::ranges::find(native_names, name, &NativeName::name);
  if (found == native_names.end()) return std::nullopt;
  return found->kind;
}

bool is_reserved(std::string_view word) {
  return std::ranges::binary_search(reserved_words, word);
}

// As Cassandra shows names (docs/service-keyspaces/types.md section 6).
std::string name_in_cql(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || base::is_digit(c) || c == '_'; };
  const bool plain = !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
                     std::ranges::all_of(name, fits) && !is_reserved(name);
  if (plain) return std::string(name);
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2U : 1U, c);
  return text + "\"";
}

bool is_number(Kind kind) {
  switch (kind) {
    case Kind::tinyint:
    case Kind::smallint:
    case Kind::int_:
    case Kind::bigint:
    case Kind::counter:
    case Kind::varint:
    case Kind::decimal:
    case Kind::float_:
    case Kind::double_:
      return true;
    default:
      return false;
  }
}

bool contains_duration(const Type& type) {
  return type.kind == Kind::duration || std::ranges::any_of(type.arguments, contains_duration);
}

std::string to_text(const Type& type) {
  // docs/service-keyspaces/types.md section 6: a tuple shows that it is frozen.
  return type.frozen || type.kind == Kind::tuple ? "frozen<" + name_of(type) + ">" : name_of(type);
}

void append_option(std::string& out, const Type& type) {
  if (type.kind == Kind::duration) {  // served versions know it by its class alone
    return append_option(out, {.kind = Kind::custom, .name = "org.apache.cassandra.db.marshal.DurationType"});
  }
  base::append_big_endian(out, static_cast<std::uint16_t>(type.kind));
  if (type.kind == Kind::custom) append_short_string(out, type.name);
  if (type.kind == Kind::udt) {
    append_short_string(out, type.keyspace);
    append_short_string(out, type.name);
  }
  if (type.kind == Kind::udt || type.kind == Kind::tuple) {
    base::append_big_endian(out, static_cast<std::uint16_t>(type.arguments.size()));
  }
  for (std::size_t i = 0; i < type.arguments.size(); ++i) {
    if (type.kind == Kind::udt) append_short_string(out, type.fields[i]);
    append_option(out, type.arguments[i]);
  }
}

}  // namespace dinette::cql
