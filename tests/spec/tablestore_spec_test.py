"""The specs of Tablestore say what they may say, and agree with each other and with the contract in docs/service-tablestore."""

import copy
import re
import unittest

from json_schema import Checker
from specs_test import ROOT, load

FOLDER = ROOT / "api-specs/tablestore"
CONTRACT = ROOT / "docs/service-tablestore"
SCHEMA = load(FOLDER / "spec.schema.json")
CHECKER = Checker(SCHEMA, SCHEMA["$defs"])
PARTS = {name: load(FOLDER / f"{name}.json") for name in ("messages", "errors", "limits")}
OPERATIONS = {path.stem: load(path) for path in sorted((FOLDER / "operations").glob("*.json"))}
# Texts that no source has.
OWN_TEXTS = {
    "aggregation_not_served", "channel_of_another_client", "collapse_with_token",
    "duplicate_search_field", "grouping_not_served", "highlight_tag_too_long", "highlighted_too_much",
    "incomplete_search_field", "increment_overflow", "index_sort_with_nested",
    "invalid_analyzer_parameter", "invalid_collapse_type", "invalid_composite_source",
    "invalid_composite_token", "invalid_decay", "invalid_end_offset", "invalid_geo_point",
    "invalid_geo_polygon", "invalid_geo_precision", "invalid_index_sorter", "invalid_interval",
    "invalid_least_matches", "invalid_percentile", "invalid_query_flow_weights", "invalid_routing_field",
    "invalid_search_index_ttl", "invalid_search_token", "invalid_shard_iterator", "invalid_start_offset",
    "invalid_stream_expiration", "invalid_top_k", "invalid_tunnel_name", "invalid_tunnel_token",
    "invalid_vector_dimension", "local_index_of_another_partition", "mismatched_dimension",
    "mismatched_sequence_number", "needless_part_of_search_field", "negative_search_page",
    "negative_weight", "no_such_group_field", "no_such_index_sort_field", "no_such_shard",
    "no_such_tunnel", "no_such_tunnel_channel", "not_a_vector_field", "not_two_query_flow_weights",
    "query_not_served", "query_too_large", "read_capacity_too_large", "repeated_row_with_index",
    "returned_column_not_incremented", "scan_of_all_columns", "search_field_without_name_or_type",
    "search_fields_too_deep", "search_index_exists", "search_index_of_several_versions",
    "search_index_ttl_with_updates", "search_index_without_fields", "search_page_too_large",
    "search_window_too_large", "several_source_fields", "several_versions_with_index",
    "sql_aggregate_inside", "sql_ambiguous_column", "sql_bad_attribute", "sql_bad_search_condition",
    "sql_change_of_key", "sql_duplicate_column", "sql_illegal_double", "sql_key_does_not_fit",
    "sql_missing_key", "sql_no_alias", "sql_no_search_index", "sql_order_in_change",
    "sql_pattern_too_long", "sql_payload_not_served", "sql_same_alias", "sql_several_columns",
    "sql_several_rows", "sql_syntax", "sql_too_deep", "sql_too_large", "sql_too_many_rows",
    "sql_too_many_tables", "sql_too_much_work", "sql_unknown_column", "sql_unknown_function",
    "sql_unknown_type", "sql_value_not_constant", "sql_wrong_arguments", "sql_wrong_number_of_values",
    "sql_wrong_value", "table_out_of_transaction_scope", "timestamp_in_increment",
    "timestamp_in_indexed_table", "too_many_aggregations", "too_many_date_formats", "too_many_groupings",
    "too_many_groups", "too_many_highlighted_fields", "too_many_nested_subfields",
    "too_many_score_functions", "too_many_search_fields", "too_many_sloppy_words", "too_many_sorters",
    "too_many_terms", "too_many_tunnel_clients", "too_many_tunnels", "too_many_vector_fields",
    "transaction_is_busy", "transaction_too_large", "tunnel_client_gone", "tunnel_exists",
    "tunnel_expired", "unknown_analyzer", "unknown_time_zone", "vector_inside_json",
    "write_capacity_too_large"}
SCALARS = {"bool", "int32", "int64", "sint64", "float", "double", "string", "bytes"}


def all_messages():
    """Yields the name and fields of every message."""
    yield from PARTS["messages"]["messages"].items()
    for name, operation in OPERATIONS.items():
        yield from ((f"{name} {kind}", operation[kind]) for kind in ("request", "response"))


def contract(*pages):
    return "\n".join((CONTRACT / f"{page}.md").read_text(encoding="utf-8") for page in pages)


class Schema(unittest.TestCase):
    def test_every_file(self):
        for name, content in PARTS.items():
            self.assertEqual([], CHECKER.errors(content, SCHEMA["$defs"][name]), name)
        for name, operation in OPERATIONS.items():
            self.assertEqual([], CHECKER.errors(operation, SCHEMA["$defs"]["operation"]), name)
            self.assertEqual(name, operation["operation"])

    def test_there_is_no_other_file(self):
        self.assertEqual({"spec.schema.json", "operations", *(f"{name}.json" for name in PARTS)},
                         {path.name for path in FOLDER.iterdir()})

    def test_the_schema_is_sharp(self):
        edits = [lambda o: o.update(comment="x"), lambda o: o.pop("summary"), lambda o: o.update(status="maybe"),
                 lambda o: o.update(effect="both"), lambda o: o["request"][0].update(number=0),
                 lambda o: o["request"][0].update(required=False), lambda o: o["request"][0].update(repeated=True),
                 lambda o: o["request"][0].update(type="list<string>"), lambda o: o["request"][0].pop("name")]
        for number, edit in enumerate(edits):
            operation = copy.deepcopy(OPERATIONS["PutRow"])
            edit(operation)
            self.assertTrue(CHECKER.errors(operation, SCHEMA["$defs"]["operation"]), f"edit {number} is not noticed")


class Messages(unittest.TestCase):
    def test_types_exist(self):
        known = SCALARS | set(PARTS["messages"]["enums"]) | set(PARTS["messages"]["messages"])
        for name, fields in all_messages():
            for field in fields:
                self.assertIn(field["type"], known, name)
        for kind in ("within_bytes", "within_response_bytes"):
            self.assertLessEqual(set(PARTS["messages"][kind]), known)

    def test_numbers_and_names_are_unique_and_ascend(self):
        for name, fields in all_messages():
            numbers = [field["number"] for field in fields]
            self.assertEqual(sorted(set(numbers)), numbers, name)
            self.assertEqual(len(fields), len({field["name"] for field in fields}), name)

    def test_every_field_is_in_the_contract(self):
        """tablestore/messages.md sections 1 to 6, tablestore/search-index.md section 1 and tablestore/tunnel.md section 1 have
        the number and name of each."""
        text = contract("messages", "search-index", "tunnel")
        for name, fields in all_messages():
            for field in fields:
                found = re.search(rf"\b{field['number']} {field['name']}\b", text)
                self.assertTrue(found, f"{name}: {field['number']} {field['name']}")


class Errors(unittest.TestCase):
    def test_codes_of_texts_exist(self):
        for name, text in PARTS["errors"]["texts"].items():
            self.assertIn(text["code"], PARTS["errors"]["codes"], name)

    def test_codes_have_the_status_of_the_contract(self):
        """tablestore/errors.md section 1."""
        rows = {}
        for line in contract("errors").splitlines():
            if found := re.match(r"\| (\d{3})(?: \[U\])? \| (OTS[\w, /]+?) \|", line):
                rows.update({code: int(found[1]) for code in re.findall(r"OTS\w+", found[2])})
        for code, status in PARTS["errors"]["codes"].items():
            if code in rows:
                self.assertEqual(rows[code], status, code)
        self.assertGreater(len(set(rows) & set(PARTS["errors"]["codes"])), 20)

    def test_texts_are_in_the_contract(self):
        """tablestore/errors.md sections 2 to 4, and the pages of the areas."""
        text = contract(*(page.stem for page in CONTRACT.glob("*.md"))).replace("\\", "")
        for name, error in PARTS["errors"]["texts"].items():
            parts = [part for part in re.split(r"\{\w+(?::int)?\}", error["text"]) if len(part) > 3]
            missing = [part for part in parts if part not in text]
            self.assertEqual(name in OWN_TEXTS, bool(missing), name)


if __name__ == "__main__":
    unittest.main()
