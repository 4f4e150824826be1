#include "app/pull/masking.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dinette/aws/json.h"
#include "dinette/aws/json_writer.h"
#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"

namespace dinette::app {
namespace {

using aws::JsonElement;
using base::Failure;
using Path = std::vector<std::string_view>;

constexpr std::string_view any = "*";

bool matches(const MaskRule& rule, const Path& path) {
  return std::ranges::equal(rule.path, path, [](const std::string& wanted, std::string_view name) {
    return wanted == any || wanted == name;
  });
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= 38 && std::ranges::all_of(text, base::is_digit);
}

/// Writes one item as a table's rules want it.
class MaskedItem {
 public:
  MaskedItem(const std::vector<MaskRule>& rules, const Pseudonyms& pseudonyms, std::string_view table,
             std::string& out)
      : rules_(rules), pseudonyms_(pseudonyms), table_(table), json_(out) {}

  void write_attributes(JsonElement attributes, const MaskRule* rule) {
    json_.begin_object();
    for (const auto& [name, value] : aws::JsonObject(attributes)) {
      path_.push_back(name);
      const MaskRule* const counts = rule != nullptr ? rule : find_rule();
      if (counts == nullptr || counts->kind != MaskKind::drop) {
        json_.escaped_key(name);
        write_value(value, counts);
      }
      path_.pop_back();
    }
    json_.end_object();
  }

 private:
  const MaskRule* find_rule() const {
    const auto found = std::ranges::find_if(rules_, [&](const MaskRule& rule) {
      return (rule.table.empty() || rule.table == table_) && matches(rule, path_);
    });
    return found == rules_.end() ? nullptr : &*found;
  }

  /// Writes a value with its type, such as {"S":"a"}.
  void write_value(JsonElement value, const MaskRule* rule) {
    json_.begin_object();
    for (const auto& [type, content] : aws::JsonObject(value)) {
      json_.key(type);
      write_content(type, content, rule);
    }
    json_.end_object();
  }

  void write_content(std::string_view type, JsonElement content, const MaskRule* rule) {
    if (type == "M") return write_attributes(content, rule);
    if (type == "L") {
      json_.begin_array();
      for (const JsonElement element : aws::JsonArray(content)) write_value(element, rule);
      return json_.end_array();
    }
    if (content.is_array()) return write_set(type, aws::JsonArray(content), rule);
    if (content.is_bool()) return json_.boolean(content.get_bool());
    json_.string(replaced(type, content.get_string(), rule));
  }

  /// A set has no value twice, also if values have become the same.
  void write_set(std::string_view type, aws::JsonArray values, const MaskRule* rule) {
    std::set<std::string> written;
    json_.begin_array();
    for (const std::string_view value : values) {
      std::string out = replaced(type.substr(0, 1), value, rule);
      if (rule != nullptr && !written.insert(out).second) continue;
      json_.string(out);
    }
    json_.end_array();
  }

  std::string replaced(std::string_view type, std::string_view value, const MaskRule* rule) const {
    if (rule == nullptr || rule->kind == MaskKind::keep || value.empty()) return std::string(value);
    if (type == "N") return replaced_number(value, *rule);
    if (type == "B") return replaced_bytes(value, *rule);
    const std::size_t mark = rule->after.empty() ? std::string_view::npos : value.rfind(rule->after);
    const std::size_t kept = mark == std::string_view::npos ? 0 : mark + rule->after.size();
    return std::string(value.substr(0, kept)) + replaced_text(value.substr(kept), *rule);
  }

  std::string replaced_text(std::string_view value, const MaskRule& rule) const {
    if (value.empty()) return {};
    switch (rule.kind) {
      case MaskKind::email:
        return pseudonyms_.email(value);
      case MaskKind::name:
        return pseudonyms_.name(value);
      case MaskKind::digits:
        return pseudonyms_.digits(value);
      case MaskKind::fixed:
        return rule.value;
      default:
        return pseudonyms_.text(value);
    }
  }

  std::string replaced_number(std::string_view value, const MaskRule& rule) const {
    if (rule.kind != MaskKind::fixed) return pseudonyms_.number(value);
    return is_number(rule.value) ? rule.value : "0";
  }

  std::string replaced_bytes(std::string_view value, const MaskRule& rule) const {
    const auto bytes = base::base64_decode(value);
    return base::base64_encode(rule.kind == MaskKind::fixed ? rule.value
                                                            : pseudonyms_.bytes(bytes.value_or("")));
  }

  const std::vector<MaskRule>& rules_;
  const Pseudonyms& pseudonyms_;
  const std::string_view table_;
  aws::JsonWriter json_;
  Path path_;
};

}  // namespace

std::optional<std::string> Masking::objection(std::string_view table,
                                              const std::vector<std::string>& keys) const {
  for (const std::string& key : keys) {
    const auto found = std::ranges::find_if(rules_, [&](const MaskRule& rule) {
      return (rule.table.empty() || rule.table == table) && matches(rule, {key});
    });
    if (found == rules_.end() || (found->kind != MaskKind::drop && found->kind != MaskKind::fixed)) continue;
    return "the attribute " + key + " is a key of the table " + std::string(table) +
           ": items would be lost if it were dropped or fixed; use text, digits, email or name";
  }
  return std::nullopt;
}

base::Result<std::string, std::string> Masking::masked(std::string_view table, std::string_view item) const {
  simdjson::dom::parser parser;
  std::string out;
  try {
    MaskedItem(rules_, pseudonyms_, table, out)
        .write_attributes(parser.parse(item.data(), item.size()), nullptr);
  } catch (const simdjson::simdjson_error& error) {
    return Failure{std::string("an item is not as expected: ") + error.what()};
  }
  return out;
}

}  // namespace dinette::app
