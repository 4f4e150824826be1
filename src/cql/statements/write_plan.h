#pragma once

#include <memory>
#include <vector>

#include "cql/statements/modification.h"

/// Carries out modifications, alone and in batches (docs/service-keyspaces/dml.md sections 2 to 7).
namespace dinette::cql::statements {

/// An INSERT, UPDATE or DELETE that was checked.
class ModificationPlan final : public DataPlan {
 public:
  static Answer<std::shared_ptr<const DataPlan>> make(const Place& place, std::string_view keyspace,
                                                      grammar::Statement statement);

  Answer<bool> is_current(const Place& place) const override {
    return statements::is_current(place, modification_.open);
  }
  Answer<std::optional<Outcome>> run(const Place& place, std::span<const frames::Value> values,
                                     const Options& options) const override;
  Answer<void> check_levels(const Place& place, const Options& options) const override;
  const Modification& modification() const { return modification_; }

 private:
  using DataPlan::DataPlan;
  Modification modification_;
};

/// A statement of a batch, with its values.
struct BatchPart {
  const Modification* modification = nullptr;
  std::span<const frames::Value> values{};
};

/// Carries out the statements of a batch. Nothing if a table has changed.
Answer<std::optional<Outcome>> run_batch(const Place& place, grammar::Batch::Type type,
                                         std::span<const BatchPart> parts, const BoundAttributes& attributes,
                                         const Options& options);

/// A BATCH statement that was checked.
class BatchPlan final : public DataPlan {
 public:
  static Answer<std::shared_ptr<const DataPlan>> make(const Place& place, std::string_view keyspace,
                                                      grammar::Statement statement);

  Answer<bool> is_current(const Place& place) const override;
  Answer<std::optional<Outcome>> run(const Place& place, std::span<const frames::Value> values,
                                     const Options& options) const override;
  Answer<void> check_levels(const Place& place, const Options& options) const override;

 private:
  using DataPlan::DataPlan;
  grammar::Batch::Type type_ = grammar::Batch::Type::logged;
  std::vector<Modification> modifications_;
  Attributes attributes_;
};

}  // namespace dinette::cql::statements
