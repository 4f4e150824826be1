#include "app/pull/pull_tables.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dinette/dynamodb/item_files/answers.h"
#include "dinette/dynamodb/item_files/table_file.h"

#include "app/pull/pull_progress.h"
#include "app/transfer/table_files.h"

namespace dinette::app {
namespace {

namespace item_files = dynamodb::item_files;
using base::Failure;
using Step = base::Result<void, std::string>;

struct FoundTableAtSource {
  PulledTable table;
  std::uint64_t items = 0;  ///< about
};

base::Result<std::string, std::string> text_or_sentence(base::Result<std::string, CallError> output) {
  if (output) return std::move(output).value();
  return Failure{output.error().message};
}

base::Result<FoundTableAtSource, std::string> describe(const TableSource& source, const std::string& name) {
  using enum ReadingOperation;
  DINETTE_TRY(const auto description, text_or_sentence(source.read(describe_table, naming(name))));
  DINETTE_TRY(const auto facts, item_files::read_table_facts(description));
  DINETTE_TRY(const auto expiry,
              text_or_sentence(source.read_if_allowed(describe_time_to_live, naming(name))));
  DINETTE_TRY(auto tags, source.tags_of(facts.arn));
  DINETTE_TRY(auto text, item_files::table_file_text({description, expiry, std::move(tags)}));
  auto requests = item_files::read_table_file(text);
  if (!requests) return Failure{"the description of the table " + requests.error()};
  return FoundTableAtSource{
      {name, facts.arn, facts.id, std::move(text), item_files::renamed(*requests, name)}, facts.items};
}

/// One table on its way.
class TablePull {
 public:
  TablePull(const TableSource& source, const Transfer& transfer, const Masking& masking, const PullWish& wish,
            FoundTableAtSource found, const OpenDestination& open)
      : source_(source),
        transfer_(transfer),
        masking_(masking),
        wish_(wish),
        found_(std::move(found)),
        destination_(open(found_.table)),
        file_(destination_->progress_path()) {}

  base::Result<PulledItems, std::string> run() {
    const auto outcome = carry_out();
    if (!outcome) return Failure{"the table " + name() + " is not pulled: " + outcome.error() + kept()};
    return PulledItems{name(), progress_.items, !*outcome};
  }

 private:
  const std::string& name() const { return found_.table.name; }

  /// Returns false if the table stays as it was.
  base::Result<bool, std::string> carry_out() {
    DINETTE_TRY(const bool wanted, prepare());
    if (!wanted) return false;
    transfer_.progress.begin("pulling", name(), expected());
    transfer_.progress.add(progress_.items);
    const auto copied = progress_.copied ? Step() : copy();
    transfer_.progress.end();
    DINETTE_CHECK(copied);
    DINETTE_CHECK(destination_->finish());
    destination_->clean_up();
    return true;
  }

  base::Result<bool, std::string> prepare() {
    DINETTE_TRY(auto saved, file_.load());
    if (saved && wish_.existing == Existing::resume) {
      DINETTE_CHECK(resume(std::move(*saved)));
      return true;
    }
    if (saved && wish_.existing != Existing::replace)
      return Failure{std::string(
          "a pull of it was interrupted: continue it with --continue, or begin again with --replace")};
    DINETTE_TRY(const bool there, destination_->exists());
    if (there && wish_.existing == Existing::refuse)
      return Failure{
          std::string("the destination has such a table: keep it with --skip-existing, or delete it "
                      "with --replace")};
    if (there && wish_.existing != Existing::replace) return false;
    if (wish_.existing == Existing::replace) DINETTE_CHECK(destination_->remove());
    DINETTE_CHECK(begin());
    return true;
  }

  Step begin() {
    if (const auto objection = masking_.objection(name(), key_names(found_.table.requests.create_table)))
      return Failure{*objection};
    progress_ = {.table_id = found_.table.id, .wish = wish_.identity};
    // Noted first, so that what is made then is known to be of this pull.
    DINETTE_CHECK(file_.save(progress_));
    DINETTE_CHECK(destination_->begin());
    return save();
  }

  Step resume(PullProgress saved) {
    if (saved.wish != wish_.identity)
      return Failure{"it was begun with other options: use the same (" + saved.wish +
                     "), or begin again with --replace"};
    if (saved.table_id != found_.table.id)
      return Failure{
          std::string("the source has another table of that name now: begin again with --replace")};
    progress_ = std::move(saved);
    there_ = progress_.items;
    DINETTE_CHECK(destination_->resume(progress_.mark));
    return save();
  }

  Step save() {
    progress_.mark = destination_->mark();
    return file_.save(progress_);
  }

  std::uint64_t expected() const {
    std::uint64_t most = wish_.scan.where ? 0 : found_.items;
    for (const std::uint64_t wanted : {wish_.scan.limit, wish_.scan.sample}) {
      if (wanted > 0) most = most == 0 ? wanted : std::min(most, wanted);
    }
    return most;
  }

  Step copy() {
    TableScan scan(source_, name(), wish_.scan, progress_);
    for (;;) {
      DINETTE_TRY(const auto page, scan.next());
      if (!page) break;
      for (const std::string_view item : *page) DINETTE_CHECK(add(item));
      DINETTE_CHECK(destination_->flush());
      DINETTE_CHECK(save());
      there_ = progress_.items;
    }
    progress_.copied = true;
    return save();
  }

  Step add(std::string_view item) {
    if (masking_.empty()) return destination_->add(item);
    DINETTE_TRY(const std::string masked, masking_.masked(name(), item));
    return destination_->add(masked);
  }

  /// Says what there is now.
  std::string kept() const {
    if (there_ == 0) return "";
    return "; " + items_text(there_) + " of it are there: continue with --continue";
  }

  const TableSource& source_;
  const Transfer& transfer_;
  const Masking& masking_;
  const PullWish& wish_;
  const FoundTableAtSource found_;
  const std::unique_ptr<PullDestination> destination_;
  const ProgressFile file_;
  PullProgress progress_;
  std::uint64_t there_ = 0;
};

std::string with_complete(std::string failure, const std::vector<PulledItems>& pulled) {
  std::string names;
  for (const PulledItems& one : pulled) names += " " + one.table;
  return names.empty() ? failure : failure + ". Tables that are complete:" + names;
}

}  // namespace

base::Result<std::vector<PulledItems>, std::string> pull_tables(const TableSource& source,
                                                                const Transfer& transfer,
                                                                const Masking& masking, const PullWish& wish,
                                                                const OpenDestination& open) {
  std::vector<PulledItems> pulled;
  for (const std::string& name : wish.tables) {
    if (!is_table_name(name)) return Failure{bad_table_name(name)};
    auto found = describe(source, name);
    if (!found)
      return Failure{with_complete("the table " + name + " cannot be read: " + found.error(), pulled)};
    auto one = TablePull(source, transfer, masking, wish, std::move(found).value(), open).run();
    if (!one) return Failure{with_complete(one.error(), pulled)};
    pulled.push_back(std::move(one).value());
  }
  return pulled;
}

}  // namespace dinette::app
