#include "cql/statements/term.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dinette/base/bytes.h"

#include "cql/types/check_value.h"
#include "cql/types/key_order.h"
#include "cql/types/parts.h"
#include "cql/values/from_json.h"
#include "cql/values/json_reader.h"

namespace dinette::cql::statements {
namespace {

/// More than a row of one megabyte has room for, also of empty ones.
constexpr std::int32_t most_elements = 1'000'000;

/// Fails if a collection that a client has sent has too many elements for all of them to be looked at.
Answer<void> check_element_count(const Type& type, std::string_view value) {
  const bool has_elements = type.kind == Kind::list || type.kind == Kind::set || type.kind == Kind::map;
  const std::int32_t count = has_elements ? PartReader(value).read_int().value_or(0) : 0;
  if (count <= most_elements) return {};
  return invalid("A collection with " + std::to_string(count) + " elements exceeds the maximum of " +
                 std::to_string(most_elements) + ".");
}

/// The elements of a set, or the keys and values of a map, in their order and without duplicates: the last
/// one with a key stays.
std::string canonical(const Type& type, std::span<const std::string> parts) {
  const std::size_t step = type.kind == Kind::map ? 2 : 1;
  std::map<std::string, std::size_t> by_key;
  for (std::size_t i = 0; i + step <= parts.size(); i += step) {
    std::string key;
    append_key(key, type.arguments[0], parts[i]);
    by_key[std::move(key)] = i;
  }
  std::string out;
  base::append_big_endian(out, static_cast<std::uint32_t>(by_key.size()));
  for (const auto& [key, place] : by_key) {
    for (std::size_t i = 0; i < step; ++i) append_part(out, parts[place + i]);
  }
  return out;
}

/// The same of a value that clients have sent.
std::string canonical(const Type& type, std::string_view value) {
  PartReader in(value);
  in.read_int();
  std::vector<std::string> parts;
  while (!in.at_end()) {
    parts.emplace_back(in.read(static_cast<std::size_t>(in.read_int().value_or(0))).value_or(""));
  }
  return canonical(type, parts);
}

}  // namespace

void append_part(std::string& out, std::string_view part) {
  base::append_big_endian(out, static_cast<std::uint32_t>(part.size()));
  out += part;
}

void append_null_part(std::string& out) {
  base::append_big_endian(out, ~std::uint32_t{0});
}

Term Term::marker(Checker& checker, std::size_t index, const Receiver& receiver) {
  checker.bind(index, receiver.name, receiver.type);
  Term term;
  term.kind_ = Kind::marker;
  term.receiver_ = receiver;
  term.marker_ = index;
  return term;
}

Term Term::marker_of_in(Checker& checker, std::size_t index, const Receiver& receiver) {
  Term term = marker(checker, index, receiver);
  term.is_list_of_in_ = true;
  return term;
}

Term Term::constant(Receiver receiver, TermValue value) {
  Term term;
  term.receiver_ = std::move(receiver);
  term.constant_ = std::move(value);
  return term;
}

bool Term::has_markers() const {
  return kind_ == Kind::marker ||
         std::ranges::any_of(parts_, [](const Term& part) { return part.has_markers(); });
}

Answer<TermValue> Term::evaluate(const Bindings& bindings) const {
  switch (kind_) {
    case Kind::constant:
      return constant_;
    case Kind::marker:
      return evaluate_marker(bindings);
    case Kind::list:
    case Kind::set:
    case Kind::map:
      return evaluate_collection(bindings);
    case Kind::components:
      return evaluate_components(bindings);
    case Kind::function:
      return evaluate_function(bindings);
    case Kind::from_json:
      return evaluate_from_json(bindings);
  }
  return TermValue{};
}

Answer<TermValue> Term::evaluate_marker(const Bindings& bindings) const {
  const frames::Value& value = bindings.values[marker_];
  if (value.state != TermValue::State::bytes) return TermValue{value.state};
  DINETTE_CHECK(is_list_of_in_ ? check_list_of_in(receiver_.type, value.bytes)
                               : check_value(receiver_.type, value.bytes));
  DINETTE_CHECK(check_element_count(receiver_.type, value.bytes));
  const auto kind = receiver_.type.kind;
  if (kind == cql::Kind::set || kind == cql::Kind::map) {
    return TermValue::of(canonical(receiver_.type, value.bytes));
  }
  return TermValue::of(std::string(value.bytes));
}

Answer<TermValue> Term::evaluate_function(const Bindings& bindings) const {
  std::vector<TermValue> values;
  std::vector<Argument> arguments;
  for (const Term& part : parts_) {
    DINETTE_TRY(values.emplace_back(), part.evaluate(bindings));
    if (values.back().is_unset()) {
      return invalid("Invalid unset value for argument in call to function " + function_->name);
    }
  }
  for (const TermValue& value : values) arguments.push_back(value.view());
  DINETTE_TRY(auto returned, call(*function_, bindings.call, arguments));
  return TermValue::of(std::move(returned));
}

/// docs/service-keyspaces/errors.md section 1.
Answer<TermValue> Term::evaluate_from_json(const Bindings& bindings) const {
  DINETTE_TRY(const TermValue text, parts_.front().evaluate(bindings));
  if (text.is_unset()) return invalid("Invalid unset value for argument in call to function fromJson");
  if (!text.has_bytes()) return TermValue{};
  const auto failed = [&](const std::string& reason) {
    return base::Failure<Error>(Error{ErrorCode::function_failure,
                                      "execution of 'system.fromjson[text]' failed: Could not decode JSON "
                                      "string '" +
                                          text.bytes + "': " + reason,
                                      {"system", "fromjson", "text"}});
  };
  const auto json = read_json(text.bytes);
  if (!json) return failed("it is none");
  if (json->kind == JsonValue::Kind::null) return TermValue{};
  auto value = value_from_json(receiver_.type, *json);
  if (!value) return failed(value.error().message);
  return TermValue::of(*std::move(value));
}

Answer<TermValue> Term::evaluate_collection(const Bindings& bindings) const {
  std::vector<std::string> parts;
  for (const Term& part : parts_) {
    DINETTE_TRY(TermValue value, part.evaluate(bindings));
    if (!value.has_bytes()) return invalid("null is not supported inside collections");
    parts.push_back(std::move(value.bytes));
  }
  if (kind_ != Kind::list) return TermValue::of(canonical(receiver_.type, parts));
  std::string out;
  base::append_big_endian(out, static_cast<std::uint32_t>(parts.size()));
  for (const std::string& part : parts) append_part(out, part);
  return TermValue::of(std::move(out));
}

Answer<TermValue> Term::evaluate_components(const Bindings& bindings) const {
  const bool is_udt = receiver_.type.kind == cql::Kind::udt;
  std::string out;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    DINETTE_TRY(const TermValue value, parts_[i].evaluate(bindings));
    if (value.is_unset()) {
      return invalid(is_udt ? "Invalid unset value for field '" + receiver_.type.fields[i] +
                                  "' of user defined type " + receiver_.type.name
                            : "Invalid unset value for tuple field number " + std::to_string(i));
    }
    if (value.has_bytes()) {
      append_part(out, value.bytes);
    } else {
      append_null_part(out);
    }
  }
  return TermValue::of(std::move(out));
}

}  // namespace dinette::cql::statements
