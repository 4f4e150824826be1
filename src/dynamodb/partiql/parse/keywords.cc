#include "dynamodb/partiql/parse/keywords.h"

#include <algorithm>
#include <array>
#include <string>

namespace dinette::dynamodb::partiql {
namespace {

/// Ascending (docs/service/partiql.md section 1, "Lexical rules"), without those that are tokens of their
/// own.
constexpr std::array<std::string_view, 232> keywords = {"absolute",
                                                        "action",
                                                        "add",
                                                        "all",
                                                        "allocate",
                                                        "alter",
                                                        "any",
                                                        "are",
                                                        "assertion",
                                                        "authorization",
                                                        "avg",
                                                        "bag",
                                                        "begin",
                                                        "bigint",
                                                        "bit",
                                                        "bit_length",
                                                        "blob",
                                                        "bool",
                                                        "boolean",
                                                        "can_cast",
                                                        "can_lossless_cast",
                                                        "cascade",
                                                        "cascaded",
                                                        "case",
                                                        "cast",
                                                        "catalog",
                                                        "char",
                                                        "char_length",
                                                        "character",
                                                        "character_length",
                                                        "check",
                                                        "clob",
                                                        "close",
                                                        "coalesce",
                                                        "collate",
                                                        "collation",
                                                        "column",
                                                        "commit",
                                                        "conflict",
                                                        "connect",
                                                        "connection",
                                                        "constraint",
                                                        "constraints",
                                                        "continue",
                                                        "convert",
                                                        "corresponding",
                                                        "count",
                                                        "create",
                                                        "cross",
                                                        "current",
                                                        "current_date",
                                                        "current_time",
                                                        "current_timestamp",
                                                        "current_user",
                                                        "cursor",
                                                        "date",
                                                        "date_add",
                                                        "date_diff",
                                                        "deallocate",
                                                        "dec",
                                                        "decimal",
                                                        "declare",
                                                        "default",
                                                        "deferrable",
                                                        "deferred",
                                                        "delete",
                                                        "describe",
                                                        "descriptor",
                                                        "diagnostics",
                                                        "disconnect",
                                                        "distinct",
                                                        "do",
                                                        "domain",
                                                        "double",
                                                        "drop",
                                                        "else",
                                                        "end",
                                                        "escape",
                                                        "exception",
                                                        "exec",
                                                        "execute",
                                                        "exists",
                                                        "external",
                                                        "extract",
                                                        "fetch",
                                                        "first",
                                                        "float",
                                                        "foreign",
                                                        "found",
                                                        "from",
                                                        "full",
                                                        "get",
                                                        "global",
                                                        "go",
                                                        "goto",
                                                        "grant",
                                                        "group",
                                                        "having",
                                                        "identity",
                                                        "immediate",
                                                        "index",
                                                        "indicator",
                                                        "initially",
                                                        "inner",
                                                        "input",
                                                        "insensitive",
                                                        "insert",
                                                        "int",
                                                        "int2",
                                                        "int4",
                                                        "int8",
                                                        "integer",
                                                        "integer2",
                                                        "integer4",
                                                        "integer8",
                                                        "interval",
                                                        "into",
                                                        "isolation",
                                                        "join",
                                                        "key",
                                                        "language",
                                                        "last",
                                                        "left",
                                                        "let",
                                                        "level",
                                                        "limit",
                                                        "list",
                                                        "local",
                                                        "lower",
                                                        "match",
                                                        "max",
                                                        "min",
                                                        "modified",
                                                        "module",
                                                        "names",
                                                        "national",
                                                        "natural",
                                                        "nchar",
                                                        "new",
                                                        "next",
                                                        "no",
                                                        "nothing",
                                                        "nullif",
                                                        "numeric",
                                                        "octet_length",
                                                        "of",
                                                        "offset",
                                                        "old",
                                                        "on",
                                                        "only",
                                                        "open",
                                                        "option",
                                                        "order",
                                                        "outer",
                                                        "output",
                                                        "overlaps",
                                                        "pad",
                                                        "partial",
                                                        "pivot",
                                                        "position",
                                                        "precision",
                                                        "prepare",
                                                        "preserve",
                                                        "primary",
                                                        "prior",
                                                        "privileges",
                                                        "procedure",
                                                        "public",
                                                        "read",
                                                        "real",
                                                        "references",
                                                        "relative",
                                                        "remove",
                                                        "restrict",
                                                        "returning",
                                                        "revoke",
                                                        "right",
                                                        "rollback",
                                                        "rows",
                                                        "schema",
                                                        "scroll",
                                                        "section",
                                                        "select",
                                                        "session",
                                                        "session_user",
                                                        "set",
                                                        "sexp",
                                                        "size",
                                                        "smallint",
                                                        "some",
                                                        "space",
                                                        "sql",
                                                        "sqlcode",
                                                        "sqlerror",
                                                        "sqlstate",
                                                        "string",
                                                        "struct",
                                                        "substring",
                                                        "sum",
                                                        "symbol",
                                                        "system_user",
                                                        "table",
                                                        "temporary",
                                                        "then",
                                                        "time",
                                                        "timestamp",
                                                        "to",
                                                        "transaction",
                                                        "translate",
                                                        "translation",
                                                        "trim",
                                                        "tuple",
                                                        "unique",
                                                        "unknown",
                                                        "unpivot",
                                                        "update",
                                                        "upper",
                                                        "usage",
                                                        "user",
                                                        "using",
                                                        "value",
                                                        "values",
                                                        "varchar",
                                                        "varying",
                                                        "view",
                                                        "when",
                                                        "whenever",
                                                        "where",
                                                        "with",
                                                        "work",
                                                        "write",
                                                        "zone"};
static_assert(std::is_sorted(keywords.begin(), keywords.end()));

struct Spelling {
  std::string_view written;
  std::string_view name;
};
constexpr std::array<Spelling, 10> type_spellings = {{{"varchar", "character_varying"},
                                                      {"char", "character"},
                                                      {"dec", "decimal"},
                                                      {"int", "integer"},
                                                      {"int2", "smallint"},
                                                      {"integer2", "smallint"},
                                                      {"int4", "integer4"},
                                                      {"int8", "integer8"},
                                                      {"bigint", "integer8"},
                                                      {"bool", "boolean"}}};

struct Phrase {
  std::string_view words;
  std::string_view name;
  TokenKind kind;
};
constexpr auto word = TokenKind::keyword;
constexpr auto infix = TokenKind::operation;
constexpr std::array<Phrase, 33> phrases = {{{"not in", "not_in", infix},
                                             {"is not", "is_not", infix},
                                             {"not between", "not_between", infix},
                                             {"not like", "not_like", infix},
                                             {"intersect all", "intersect_all", infix},
                                             {"except all", "except_all", infix},
                                             {"union all", "union_all", infix},
                                             {"character varying", "character_varying", word},
                                             {"double precision", "double_precision", word},
                                             {"insert into", "insert_into", word},
                                             {"on conflict", "on_conflict", word},
                                             {"do nothing", "do_nothing", word},
                                             {"modified old", "modified_old", word},
                                             {"modified new", "modified_new", word},
                                             {"all old", "all_old", word},
                                             {"all new", "all_new", word},
                                             {"cross join", "cross_join", word},
                                             {"inner join", "inner_join", word},
                                             {"inner cross join", "cross_join", word},
                                             {"left join", "left_join", word},
                                             {"left outer join", "left_join", word},
                                             {"left cross join", "cross_join", word},
                                             {"left outer cross join", "cross_join", word},
                                             {"right join", "right_join", word},
                                             {"right outer join", "right_join", word},
                                             {"right cross join", "cross_join", word},
                                             {"right outer cross join", "cross_join", word},
                                             {"full join", "outer_join", word},
                                             {"outer join", "outer_join", word},
                                             {"full outer join", "outer_join", word},
                                             {"full cross join", "cross_join", word},
                                             {"outer cross join", "cross_join", word},
                                             {"full outer cross join", "cross_join", word}}};

/// Returns true for words that are not names, of which phrases consist.
bool may_be_in_phrase(const Token& token) {
  return token.kind == TokenKind::keyword || token.kind == TokenKind::operation;
}

}  // namespace

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool is_keyword(std::string_view lower) {
  return std::binary_search(keywords.begin(), keywords.end(), lower);
}

std::string_view type_name_of(std::string_view lower) {
  const auto* const found = std::ranges::find(type_spellings, lower, &Spelling::written);
  return found == type_spellings.end() ? lower : found->name;
}

void append_merged(std::vector<Token>& tokens, Token token) {
  constexpr std::size_t longest = 4;
  for (std::size_t before = std::min(longest - 1, tokens.size()); before > 0; --before) {
    const auto first = tokens.end() - static_cast<std::ptrdiff_t>(before);
    if (!may_be_in_phrase(token) || !std::all_of(first, tokens.end(), may_be_in_phrase)) continue;
    std::string words;
    for (auto one = first; one != tokens.end(); ++one) words.append(one->text).append(" ");
    const auto* const phrase = std::ranges::find(phrases, words + token.text, &Phrase::words);
    if (phrase == phrases.end()) continue;
    token = {phrase->kind, std::string(phrase->name), first->position};
    tokens.erase(first, tokens.end());
    break;
  }
  tokens.push_back(std::move(token));
}

}  // namespace dinette::dynamodb::partiql
