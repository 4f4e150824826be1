#include "dynamodb/api/batch_get_item.h"

#include <set>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/keys_and_attributes.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/unprocessed_keys.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/items/touched_keys.h"
#include "dynamodb/reads/explain_read.h"
#include "dynamodb/reads/item_selection.h"
#include "dynamodb/reads/read_throughput.h"
#include "dynamodb/reads/read_view.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/request/request_expressions.h"
#include "dynamodb/request/table_charges.h"
#include "dynamodb/tables/open_table.h"

// Order of the steps: docs/service/batch.md section 1. Each is taken for all tables before the next.
namespace dinette::dynamodb::ops {
namespace {

using Keys = std::vector<codec::ItemInput>;

/// What the request asks of one table.
struct TableRead {
  const std::string& name;  ///< as the client wrote it
  const api::KeysAndAttributes& asked;
  RequestExpressions expressions;
  ItemSelection selection = {};
  OpenTable table = {};
};

Answer<void> check_count(const std::vector<TableRead>& reads) {
  if (reads.empty()) return validation("The requestItems parameter is required for BatchGetItem");
  std::size_t keys = 0;
  for (const TableRead& read : reads) keys += read.asked.keys.size();
  if (keys > model::limits::batch_get_keys)
    return validation("Too many items requested for the BatchGetItem call");
  return {};
}

/// The two families exclude each other over all tables.
Answer<void> check_families_of_all(const Context& context, const std::vector<TableRead>& reads) {
  codec::FamilyMembers of_all;
  for (const TableRead& read : reads) {
    codec::FamilyMembers given = families_of(read.asked);
    if (of_all.legacy.empty()) of_all.legacy = std::move(given.legacy);
    if (of_all.expressions.empty()) of_all.expressions = std::move(given.expressions);
  }
  DINETTE_CHECK(check_one_family(context.envelope, of_all));
  for (const TableRead& read : reads) DINETTE_CHECK(read.expressions.check_families(families_of(read.asked)));
  return {};
}

Answer<void> select(TableRead& read) {
  DINETTE_TRY(read.selection, item_selection(read.expressions, read.asked.projection_expression,
                                             read.asked.attributes_to_get));
  return read.expressions.check_all_used();
}

Answer<void> check_values(const Context& context, const Keys& keys) {
  for (const codec::ItemInput& key : keys) DINETTE_CHECK(check_problem(context.envelope, key.problem));
  return {};
}

/// Compares keys by value, and tables by identity, whether named by name or by ARN.
Answer<void> check_duplicates(const std::vector<TableRead>& reads) {
  std::set<std::pair<std::string_view, std::string>> seen;
  for (const TableRead& read : reads) {
    const std::string_view table = table_name_of(read.name).value_or(read.name);
    for (const codec::ItemInput& key : read.asked.keys) {
      if (!seen.emplace(table, *codec::to_text(key.attributes).json).second)
        return validation("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

Answer<std::vector<TableRead>> check(const Context& context, const api::BatchGetItemInput& input) {
  std::vector<TableRead> reads;
  for (const auto& [name, asked] : input.request_items) reads.push_back({name, asked, {context, asked}});
  DINETTE_CHECK(check_count(reads));
  DINETTE_CHECK(check_families_of_all(context, reads));
  for (TableRead& read : reads) DINETTE_CHECK(select(read));
  for (const TableRead& read : reads) DINETTE_CHECK(check_values(context, read.asked.keys));
  DINETTE_CHECK(check_duplicates(reads));
  for (TableRead& read : reads) {
    DINETTE_TRY(read.table, open_for_data(context, read.name));
  }
  for (const TableRead& read : reads) {
    for (const auto& key : read.asked.keys)
      DINETTE_CHECK(check_key_fits(read.table.schema(), key.attributes));
  }
  for (const TableRead& read : reads) {
    for (const auto& key : read.asked.keys)
      DINETTE_CHECK(check_key_values(read.table.schema(), key.attributes));
    DINETTE_CHECK(check_key_paths(read.table.schema(), read.selection.reached_into()));
  }
  return reads;
}

/// The request for the keys at the positions `refused`, and for those from `rest` on.
api::UnprocessedKeys unprocessed(const api::KeysAndAttributes& asked, const std::vector<std::size_t>& refused,
                                 std::size_t rest) {
  api::UnprocessedKeys left{.keys = {},
                            .attributes_to_get = asked.attributes_to_get,
                            .consistent_read = asked.consistent_read,
                            .projection_expression = asked.projection_expression,
                            .expression_attribute_names = asked.expression_attribute_names};
  std::string& keys = *left.keys.json;
  const auto add = [&](std::size_t i) {
    if (!keys.empty()) keys += ',';
    codec::append_item(keys, asked.keys[i].attributes);
  };
  for (const std::size_t i : refused) add(i);
  for (std::size_t i = rest; i < asked.keys.size(); ++i) add(i);
  return left;
}

/// Reads table after table until the answer is full or has taken as much work as a request may ask for, and
/// leaves the rest unprocessed. Without that limit of our own a short request could ask for half a gigabyte:
/// items' texts may be fifty times as long as what the service counts.
class Reader {
 public:
  Reader(const Context& context, api::ReturnConsumedCapacity capacity_wanted)
      : context_(context), capacity_wanted_(capacity_wanted) {
    output_.responses.emplace();
    output_.unprocessed_keys.emplace();
  }

  Answer<void> read(const TableRead& read) {
    std::string& items = *output_.responses->emplace_back(read.name, codec::ItemListText{}).second.json;
    Charge charge;
    std::vector<std::size_t> refused;  // positions among the keys
    std::size_t done = 0;
    const bool admitted = admits_table(read);
    for (; done < read.asked.keys.size(); ++done) {
      const std::string key = encode_key(read.table.schema(), read.asked.keys[done].attributes);
      if (!admits_item(context_, position_++) || !admitted || !admits_partition(read, key)) {
        refused.push_back(done);
        continue;
      }
      DINETTE_TRY(const bool fitted, read_key(read, done, key, items, charge));
      if (!fitted) break;
    }
    if (done < read.asked.keys.size() || !refused.empty())
      leave(read, unprocessed(read.asked, refused, done));
    if (done > refused.size()) charges_.add(read.name, charge);
    return {};
  }

  Answer<api::BatchGetItemOutput> output() && {
    if (charges_.empty() && !output_.unprocessed_keys->empty()) {
      if (refusal_) return base::Failure{*std::move(refusal_)};
      return no_item_admitted(refused_arn_, Axis::read);
    }
    output_.consumed_capacity = charges_.consumed_capacity(context_, capacity_wanted_);
    return std::move(output_);
  }

 private:
  /// A table without capacity leaves its keys unprocessed, a partition its own. Keeps the first reason.
  bool admits_table(const TableRead& read) {
    return keep_refusal(admit_read_of_table(context_, {.table = *read.table.table},
                                            read.asked.consistent_read.value_or(false)));
  }
  bool admits_partition(const TableRead& read, const std::string& key) {
    return keep_refusal(admit_read_of_partition(context_, {.table = *read.table.table, .key = key},
                                                read.asked.consistent_read.value_or(false)));
  }
  bool keep_refusal(Answer<void> admitted) {
    if (!admitted && !refusal_) refusal_ = std::move(admitted).error();
    return static_cast<bool>(admitted);
  }

  /// Returns false if nothing more is to be read.
  Answer<bool> read_key(const TableRead& read, std::size_t index, const std::string& key, std::string& items,
                        Charge& charge) {
    if (full_ || work_.units() >= model::limits::request_work) return false;
    const bool consistent = read.asked.consistent_read.value_or(false);
    DINETTE_TRY(const std::optional<kv::Value> row, read_item(context_, *read.table.table, key, consistent));
    if (row) {
      DINETTE_TRY(const bool fitted, append(read.selection, row->view(), items));
      if (!fitted) return false;
    }
    const std::size_t size = row ? codec::record_size(row->view()) : 0;
    const double units = read_units(size, consistent);
    charge.table += units;
    take_read(context_, {.table = *read.table.table, .key = key}, units);
    if (wants_keys(context_)) note_item(context_, read.table, read.asked.keys[index].attributes, size);
    if (context_.explanation) {
      explain_read(*context_.explanation, read.name, read.table.schema(), read.asked.keys[index].attributes,
                   row.has_value(), units);
    }
    return true;
  }

  void leave(const TableRead& read, api::UnprocessedKeys keys) {
    if (refused_arn_.empty()) refused_arn_ = read.table.schema().arn();
    output_.unprocessed_keys->emplace_back(read.name, std::move(keys));
  }

  /// Returns false if it no longer fits into the answer.
  Answer<bool> append(const ItemSelection& selection, std::string_view record, std::string& items) {
    const std::size_t end = items.size();
    if (!items.empty()) items += ',';
    DINETTE_STORED(const std::size_t size, selection.append_selected(items, record, work_));
    bytes_ += size;
    full_ = bytes_ > model::limits::batch_get_bytes;
    if (full_) items.resize(end);
    return !full_;
  }

  const Context& context_;
  api::ReturnConsumedCapacity capacity_wanted_;
  api::BatchGetItemOutput output_;
  TableCharges charges_;
  std::optional<ApiError> refusal_;  ///< the first one
  std::string_view refused_arn_;     ///< of the first table that has keys left
  std::size_t position_ = 0;         ///< of the next key in the request
  std::size_t bytes_ = 0;            ///< as the service counts
  model::Work work_;
  bool full_ = false;
};

}  // namespace

Answer<api::BatchGetItemOutput> batch_get_item(const Context& context, api::BatchGetItemInput&& input) {
  DINETTE_TRY(const std::vector<TableRead> reads, check(context, input));
  if (context.explanation) context.explanation->be_list();
  Reader reader(context, input.return_consumed_capacity);
  for (const TableRead& read : reads) DINETTE_CHECK(reader.read(read));
  return std::move(reader).output();
}

}  // namespace dinette::dynamodb::ops
