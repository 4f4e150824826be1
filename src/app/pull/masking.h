#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

#include "app/pull/pseudonyms.h"

namespace dinette::app {

enum class MaskKind { text, email, name, digits, fixed, drop, keep };

/// What happens to an attribute.
struct MaskRule {
  std::string table = {};         ///< empty: every table
  std::vector<std::string> path;  ///< names of attributes, each within the one before; "*": any
  MaskKind kind = MaskKind::text;
  std::string value = {};  ///< of `fixed`
  std::string after = {};  ///< only what follows this text, at its last place, is replaced; empty: all
};

/// The contents of a file of rules.
struct MaskFile {
  std::string key = {};  ///< of the pseudonyms; empty: a new one per run
  std::vector<MaskRule> rules;
};

/// Reads a file of rules. The error is a sentence that follows the file's name.
base::Result<MaskFile, std::string> read_mask_file(std::string_view text);

/// Replaces values in items by rules: for each attribute, the first rule that matches counts, for everything
/// in it. Lists are passed through. Types never change, so keys stay valid; equal values stay equal.
class Masking {
 public:
  Masking(std::vector<MaskRule> rules, std::string key)
      : rules_(std::move(rules)), pseudonyms_(std::move(key)) {}

  bool empty() const { return rules_.empty(); }

  /// Returns a sentence if a rule would take the keys of a table from its items, or make two the same.
  std::optional<std::string> objection(std::string_view table, const std::vector<std::string>& keys) const;

  /// Returns an item's attributes, as JSON in one line, with the rules applied. The error is a sentence.
  base::Result<std::string, std::string> masked(std::string_view table, std::string_view item) const;

 private:
  const std::vector<MaskRule> rules_;
  const Pseudonyms pseudonyms_;
};

}  // namespace dinette::app
