#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "dinette/base/result.h"

#include "app/tables/applied.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// A resource on the way to what its definition says: what all kinds of resources have in common. A step
/// that does not succeed says why in `applied_`, and is the last one.
class Application {
 public:
  /// `transfer` must outlive the object.
  Application(const Transfer& transfer, OnDifference existing) : transfer_(transfer), existing_(existing) {}
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;
  virtual ~Application() = default;

  /// Takes the steps. Must be called once only.
  AppliedResource run();

 protected:
  enum class Presence : std::uint8_t { absent, present, unknown };

  /// Finds out if there is such a resource. Presence::unknown: that did not succeed.
  virtual Presence look() = 0;
  /// Returns true when the new resource can be used.
  virtual bool create() = 0;
  /// Notes the differences of what look() has found. Returns false if that did not succeed.
  virtual bool compare() = 0;
  /// Makes those changes. Returns true when the resource can be used again.
  virtual bool update() = 0;
  /// Returns true if it can be deleted and created without harm to others.
  virtual bool is_replaceable() const { return false; }
  /// Returns true when there is no such resource.
  virtual bool remove() { return false; }

  void fail(std::string error) { applied_.errors.push_back(std::move(error)); }
  /// Returns true if something has succeeded; else its error is noted.
  template <class Value>
  bool succeeded(const base::Result<Value, std::string>& result) {
    if (!result) fail(result.error());
    return result.ok();
  }
  bool succeeded(const base::Result<std::string, CallError>& output) {
    if (!output) fail(output.error().message);
    return output.ok();
  }

  const Transfer& transfer_;
  AppliedResource applied_;

 private:
  void change();
  void finish(bool succeeded, AppliedResource::Outcome outcome) {
    if (succeeded) applied_.outcome = outcome;
  }

  const OnDifference existing_;
};

}  // namespace dinette::app
