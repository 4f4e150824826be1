"""The specs say what they may say, and agree with each other and with docs/operations.md."""

import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from json_schema import Checker

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
from api_sources.names import in_order_of_hashes
BUILT_IN = {"String", "Boolean", "Integer", "Long", "Double", "Timestamp", "Blob", "Item", "NewItem", "AttributeValue",
            "Values"}
BOUNDS = {"length", "range", "items", "entries", "key_length", "each_length", "value_items"}


def without_repeats(pairs):
    """Refuses an object that has a key twice, of which Python would silently keep one."""
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f"a key stands twice among {keys}")
    return dict(pairs)


def load(path):
    return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=without_repeats)


def inner(type_name):
    return re.sub(r"list<|map<|>", "", type_name)


SCHEMA = load(ROOT / "api-specs" / "spec.schema.json")
CHECKER = Checker(SCHEMA, SCHEMA["$defs"])


class Files:
    """The specs of one service."""

    def __init__(self, service):
        self.folder = ROOT / "api-specs" / service
        self.parts = {name: load(self.folder / f"{name}.json")
                      for name in ("service", "shapes", "errors", "limits", "records")}
        self.operations = {path.stem: load(path) for path in sorted((self.folder / "operations").glob("*.json"))}

    def members(self):
        """Every member with where it stands."""
        for name, operation in self.operations.items():
            yield from ((f"{name}.input", member) for member in operation["input"])
            if isinstance(operation["output"], list):
                yield from ((f"{name}.output", member) for member in operation["output"])
        for part in (self.parts["shapes"]["structures"], self.parts["records"]):
            for name, members in part.items():
                yield from ((name, member) for member in members)

    def output_of(self, operation):
        """The members of an output, which may be a structure."""
        output = operation["output"]
        return output if isinstance(output, list) else self.parts["shapes"]["structures"][output]


DYNAMODB = Files("dynamodb")
KINESIS = Files("kinesis")
LAMBDA = Files("lambda")
KEYSPACES = Files("keyspaces")
SPECS = DYNAMODB.folder


class OfEveryService(unittest.TestCase):
    """Derived classes, at the end of this file, test other services than DynamoDB."""

    files = DYNAMODB


class Schema(OfEveryService):
    def check(self, value, definition, where):
        self.assertEqual(CHECKER.errors(value, SCHEMA["$defs"][definition]), [], where)

    def test_every_operation(self):
        for name, operation in self.files.operations.items():
            self.check(operation, "operation", name)

    def test_every_other_file(self):
        for name, content in self.files.parts.items():
            self.check(content, name, name)

    def test_there_is_no_other_file(self):
        known = {*(f"{name}.json" for name in self.files.parts), "operations"}
        self.assertEqual({path.name for path in self.files.folder.iterdir()} - {"reserved-words.txt"}, known)
        self.assertEqual({path.suffix for path in (self.files.folder / "operations").iterdir()}, {".json"})

    def test_the_schema_is_sharp(self):
        """Each of these makes a good operation a bad one."""
        def change(edit):
            operation = copy.deepcopy(DYNAMODB.operations["PutItem"])
            edit(operation)
            return operation

        edits = [
            lambda o: o.update(comment="x"), lambda o: o.pop("summary"), lambda o: o.update(status="maybe"),
            lambda o: o.update(summary="no capital and no stop"), lambda o: o["input"][0].update(form="loud"),
            lambda o: o["input"][0].update(required=False), lambda o: o["input"][0].update(required=1),
            lambda o: o["input"][0].update(length=[1]), lambda o: o["input"][0].update(length=["1", None]),
            lambda o: o["input"][0].update(lenght=[1, 2]), lambda o: o["input"][0].update(type="list<"),
            lambda o: o["input"][0].update(alone="yes"), lambda o: o["input"][0].update(yields="yes"),
            lambda o: o["input"][0].update(legacy=False), lambda o: o["input"][0].update(expression="yes"),
            lambda o: o["input"][0].update(planned="2027"), lambda o: o["input"][0].update(default=None),
            lambda o: o["input"][0].update(legacy_against=True), lambda o: o.update(envelope=False),
            lambda o: o["input"][0].update(empty=True),
            lambda o: o["input"][2].update(missing="Said, but it may be missing"),
            lambda o: o.pop("plane"), lambda o: o.update(plane="air"), lambda o: o.pop("effect"),
            lambda o: o.update(effect="both"), lambda o: o.update(grouping="pair"),
            lambda o: o.update(table_operation=False), lambda o: o["input"][0].update(names="index"),
            lambda o: o["errors"].append(o["errors"][0]), lambda o: o.update(constraint_order=[]),
            lambda o: o.update(older_without=3), lambda o: o.update(examples=[]),
            lambda o: o.update(output="no type"), lambda o: o.update(route={"method": "POST"}),
            lambda o: o.update(route={"method": "FETCH", "path": "/a"}), lambda o: o.update(route={"method": "GET", "path": "a"}),
            lambda o: o["input"][0].update(location="body"), lambda o: o["input"][0].update(together=False),
            lambda o: o["examples"][0].pop("answer"), lambda o: o["examples"][0].update(status="400"),
        ]
        definition = SCHEMA["$defs"]["operation"]
        for number, edit in enumerate(edits):
            self.assertTrue(CHECKER.errors(change(edit), definition), f"edit {number} is not noticed")

    def test_every_definition_is_used(self):
        text = json.dumps(SCHEMA)
        files = {"operation", *self.files.parts}
        for name in SCHEMA["$defs"]:
            self.assertTrue(name in files or f'"#/$defs/{name}"' in text, name)


class OperationsOfDynamoDb(unittest.TestCase):
    def test_62_operations_and_4_of_streams(self):
        services = [operation["service"] for operation in DYNAMODB.operations.values()]
        self.assertEqual((services.count("dynamodb"), services.count("streams")), (62, 4))

    def test_the_page_lists_exactly_these(self):
        page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
        rows = dict(re.findall(r"^\| (\w+) \| (yes|planned) \|", page, re.MULTILINE))
        served = {name: "yes" if o["status"] == "served" else "planned" for name, o in DYNAMODB.operations.items()}
        self.assertEqual(rows, served)

    def test_the_page_is_not_stale(self):
        run = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "gen_api.py", "--specs", SPECS, "--check-docs",
                              ROOT / "docs" / "operations.md"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)


class Operations(OfEveryService):
    def test_files_are_named_after_their_operation(self):
        for name, operation in self.files.operations.items():
            self.assertEqual(operation["operation"], name)

    def test_every_error_named_is_declared(self):
        for name, operation in self.files.operations.items():
            errors = self.files.parts["errors"]
            self.assertEqual(set(operation["errors"]) - set(errors), set(), name)
            self.assertEqual([e for e in operation["errors"] if "every_operation" in errors[e]], [], name)

    def test_constraint_order_and_older_without_name_members(self):
        for name, operation in self.files.operations.items():
            inputs = {member["name"] for member in operation["input"]}
            named = {*operation.get("constraint_order", []), *operation.get("older_constraint_order", []),
                     operation.get("older_without")} - {None}
            self.assertEqual(named - inputs, set(), name)


class Kinds(unittest.TestCase):
    """The facts that throttling and faults go by. The service's names of operations and members confirm them."""

    def test_operations_of_streams_are_neither_data_nor_control_plane(self):
        for name, operation in DYNAMODB.operations.items():
            self.assertEqual(operation["plane"] == "streams", operation["service"] == "streams", name)

    def test_what_consumes_capacity_is_of_the_data_plane(self):
        for name, operation in DYNAMODB.operations.items():
            consumes = any(member["name"] == "ReturnConsumedCapacity" for member in operation["input"])
            self.assertEqual(operation["plane"] == "data", consumes, name)

    def test_effects(self):
        reads = re.compile("(Batch|Transact)?Get|Describe|List|Query|Scan|Search")
        for name, operation in DYNAMODB.operations.items():
            self.assertEqual(operation["effect"] == "read", bool(reads.match(name)), name)

    def test_groupings(self):
        for name, operation in DYNAMODB.operations.items():
            grouping = "batch" if name.startswith("Batch") else "transaction" if "Transact" in name else "none"
            self.assertEqual(operation.get("grouping"), grouping if operation["plane"] == "data" else None, name)

    def test_table_operations(self):
        named = {name for name, operation in DYNAMODB.operations.items() if "table_operation" in operation}
        self.assertEqual(named, {"CreateTable", "DeleteTable", "UpdateTable"})

    def test_no_api_is_generated_without_them(self):
        for operation, fact, wrong in (("CreateBackup", "plane", None), ("SearchVectors", "plane", "air"),
                                       ("GetRecords", "effect", None), ("BatchGetItem", "grouping", None),
                                       ("CreateTable", "grouping", "batch")):
            with tempfile.TemporaryDirectory() as folder:
                specs = pathlib.Path(folder) / "specs"
                shutil.copytree(SPECS, specs)
                edited = {**DYNAMODB.operations[operation], fact: wrong}
                if not wrong:
                    del edited[fact]
                (specs / f"operations/{operation}.json").write_text(json.dumps(edited), encoding="utf-8")
                run = subprocess.run([sys.executable, "-B", ROOT / "scripts/gen_api.py", "--specs", specs, "--list"],
                                     capture_output=True, text=True, check=False)
            self.assertNotEqual(run.returncode, 0, (operation, fact))
            self.assertIn(f"{operation} has no good `{fact}`", run.stderr)


class NamesInRequests(unittest.TestCase):
    """Which members name a table, an item or a statement."""

    # Where a listing begins, tables in other accounts, global tables, which are no table by themselves, and roles.
    OTHERS = {"ExclusiveStartTableName", "ExclusiveStartBackupArn", "ExclusiveStartStreamArn", "GlobalTableName",
              "ExclusiveStartGlobalTableName", "GlobalTableSourceArn", "AutoScalingRoleArn"}

    def inputs(self):
        """Every member of a request with the operation that it is of, and what it names."""
        shapes = DYNAMODB.parts["shapes"]

        def inside(name, members):
            for member in members:
                named = shapes["strings"].get(member["type"], {}).get("names")
                yield name, member, member.get("names", named)
                yield from inside(name, shapes["structures"].get(inner(member["type"]), []))

        for name, operation in DYNAMODB.operations.items():
            yield from inside(name, operation["input"])

    def test_names_and_arns_are_of_tables_or_of_something_else_that_is_known(self):
        for name, member, named in self.inputs():
            # Streams of Kinesis have ARNs of another service.
            other = member["name"] in self.OTHERS or "Kinesis" in name and member["name"] == "StreamArn"
            expected = "table" if re.search("(TableName|Arn)$", member["name"]) and not other else None
            self.assertEqual(named == "table", expected == "table", f"{name} {member['name']}")

    def test_items_and_statements(self):
        for name, member, named in self.inputs():
            if inner(member["type"]) in ("Item", "NewItem"):
                expected = None if member["name"] == "ExclusiveStartKey" else "item"
            else:
                expected = "statement" if member["name"] == "Statement" else None
            self.assertEqual(named if named != "table" else None, expected, f"{name} {member['name']}")

    def test_keys_of_maps_that_name_tables(self):
        strings = DYNAMODB.parts["shapes"]["strings"]
        for name, member, _ in self.inputs():
            named = strings.get(member.get("keys"), {}).get("names")
            self.assertEqual(named == "table", member["name"] == "RequestItems", f"{name} {member['name']}")

    def test_answers_name_nothing(self):
        inputs = {id(member) for _, member, _ in self.inputs()}
        for where, member in DYNAMODB.members():
            self.assertTrue("names" not in member or id(member) in inputs, f"{where} {member['name']}")


class Service(OfEveryService):
    def test_every_operation_has_a_target(self):
        services = {operation["service"] for operation in self.files.operations.values()}
        self.assertEqual(services, set(self.files.parts["service"]["targets"]))

    def test_every_error_has_a_prefix(self):
        prefixes = {error["prefix"] for error in self.files.parts["errors"].values()}
        self.assertEqual(prefixes, set(self.files.parts["service"]["error_prefixes"]))


class Page(unittest.TestCase):
    def test_the_page_knows_the_targets(self):
        page = (ROOT / "src/page/lib/dynamodb.js").read_text(encoding="utf-8")
        of_streams = re.search(r"const ofStreams = new Set\((\[.*?\])\);", page)[1]
        self.assertEqual(json.loads(of_streams), [name for name, operation in DYNAMODB.operations.items()
                                                  if operation["service"] == "streams"])
        targets = DYNAMODB.parts["service"]["targets"]
        self.assertIn(f'? "{targets["streams"]}." : "{targets["dynamodb"]}."', page)


class Marks(unittest.TestCase):
    """What the specs say of single members."""

    FAMILIES = {"legacy", "legacy_against", "expression"}

    def test_a_default_is_of_the_type_and_tells_all_that_absence_means(self):
        enums = DYNAMODB.parts["shapes"]["enums"]
        for where, member in DYNAMODB.members():
            if "default" not in member:
                continue
            value, type_name = member["default"], member["type"]
            fits = value in enums[type_name]["values"] if type_name in enums else \
                isinstance(value, {"Boolean": bool, "Integer": int}[type_name])
            self.assertTrue(fits, f"{where}.{member['name']}")
            low, high = member.get("range", (None, None))
            self.assertTrue((low is None or low <= value) and (high is None or value <= high))
            others = {"required", "planned", *self.FAMILIES} & member.keys()
            self.assertEqual(others, set(), f"{where}.{member['name']}")
            self.assertFalse(where.endswith(".output"), f"{where}.{member['name']}")

    def test_a_member_with_the_same_name_has_the_same_default(self):
        """But where requests repeat it in their answers, and settings that only CreateTable has to begin with."""
        first = {"BillingMode", "DeletionProtectionEnabled", "Limit", "Action"}
        repeated = {"KeysAndAttributes", "UnprocessedKeys", "BatchStatementRequest"}
        defaults = {member["name"]: member["default"] for _, member in DYNAMODB.members() if "default" in member}
        for where, member in DYNAMODB.members():
            if member["name"] in defaults.keys() - first and where not in repeated:
                self.assertEqual(member.get("default"), defaults[member["name"]], f"{where}.{member['name']}")

    def test_expressions_and_what_they_replaced(self):
        for where, members in self.groups():
            names = {member["name"] for member in members}
            expressions = {member["name"] for member in members if "expression" in member}
            if where.startswith(("PutItem", "GetItem", "UpdateItem", "DeleteItem", "Query", "Scan", "KeysAnd")):
                self.assertEqual(expressions, {name for name in names if name.endswith("Expression")}, where)
            for member in members:
                self.assertLessEqual(len(self.FAMILIES & member.keys()), 1, f"{where}.{member['name']}")
                if "legacy_against" in member:
                    self.assertIn(member["legacy_against"], expressions, where)

    @staticmethod
    def groups():
        for name, operation in DYNAMODB.operations.items():
            yield f"{name}.input", operation["input"]
        yield from DYNAMODB.parts["shapes"]["structures"].items()

    def test_planned_members_are_of_served_operations(self):
        for where, member in DYNAMODB.members():
            if "planned" in member:
                name, side = where.split(".")
                self.assertEqual((DYNAMODB.operations[name]["status"], side), ("served", "input"), member["name"])
                self.assertNotIn("required", member)

    def test_every_comparison_operator_has_operands(self):
        for name, enum in DYNAMODB.parts["shapes"]["enums"].items():
            if "operands" in enum:
                self.assertEqual((name, set(enum["operands"])), ("ComparisonOperator", set(enum["values"])))


class Shapes(OfEveryService):
    def test_every_type_is_known(self):
        shapes = self.files.parts["shapes"]
        known = BUILT_IN.union(*shapes.values(), self.files.parts["records"])
        for where, member in self.files.members():
            self.assertIn(inner(member["type"]), known, f"{where}.{member['name']}")

    def test_no_name_is_given_twice(self):
        shapes = (shapes for kind, shapes in self.files.parts["shapes"].items() if kind != "echoes")
        kinds = [*shapes, self.files.parts["records"], dict.fromkeys(BUILT_IN)]
        names = [name for kind in kinds for name in kind]
        self.assertEqual(len(names), len(set(names)))
        for where in {where for where, _ in self.files.members()}:
            members = [member["name"] for place, member in self.files.members() if place == where]
            self.assertEqual(len(members), len(set(members)), where)

    def test_every_shape_is_used(self):
        used = {inner(member["type"]) for _, member in self.files.members()}
        used |= {o["output"] for o in self.files.operations.values() if isinstance(o["output"], str)}
        for kind, shapes in self.files.parts["shapes"].items():
            self.assertEqual(set(shapes) - used, set(), kind)

    def test_echoes_have_all_members(self):
        structures = self.files.parts["shapes"]["structures"]
        for name, printed in self.files.parts["shapes"]["echoes"].items():
            members = {member["name"] for member in structures.get(name, [])}
            self.assertEqual(members - set(printed), set(), name)

    def test_keys_of_maps_are_named_strings(self):
        for where, member in self.files.members():
            for rule in {"keys", "each_keys"} & member.keys():
                self.assertIn(member[rule], self.files.parts["shapes"]["strings"], f"{where}.{member['name']}")
            if "keys" in member:
                self.assertTrue(member["type"].startswith("map<") or member["type"] in ("Item", "NewItem"),
                                f"{where}.{member['name']}")

    def test_bounds_leave_room_and_fit_their_type(self):
        for where, member in self.files.members():
            for rule in BOUNDS & member.keys():
                low, high = member[rule]
                self.assertTrue(low is not None or high is not None, f"{where}.{member['name']} {rule}")
                self.assertTrue(None in (low, high) or low <= high, f"{where}.{member['name']} {rule}")
            kinds = {"length": ("String", "Blob"), "pattern": ("String",), "range": ("Integer", "Long", "Double")}
            for rule in kinds.keys() & member.keys():
                self.assertIn(member["type"], kinds[rule], f"{where}.{member['name']} {rule}")
            for rule, container in {"items": "list<", "each_length": "list<", "each_pattern": "list<",
                                    "each_keys": "list<", "entries": "map<", "value_items": "map<",
                                    "key_length": "map<", "key_pattern": "map<"}.items():
                fits = rule not in member or member["type"].startswith(container)
                self.assertTrue(fits, f"{where}.{member['name']} {rule}")

    def test_printed_words_are_as_many_as_accepted_ones(self):
        for name, enum in self.files.parts["shapes"]["enums"].items():
            for printed in enum.keys() & {"printed", "printed_older"}:
                self.assertEqual(len(enum[printed]), len(enum["values"]), name)


class PrintedWords(unittest.TestCase):
    """docs/service/names-limits.md section 4."""

    def test_words_that_were_recorded_come_out_in_that_order(self):
        for recorded in ("INDEXES TOTAL NONE", "SIZE NONE", "OR AND", "HASH RANGE", "B N S",
                         "ALL_NEW UPDATED_OLD ALL_OLD NONE UPDATED_NEW", "PROVISIONED PAY_PER_REQUEST",
                         "SPECIFIC_ATTRIBUTES COUNT ALL_ATTRIBUTES ALL_PROJECTED_ATTRIBUTES",
                         "MILLISECOND MICROSECOND", "ZSTD NONE GZIP"):
            self.assertEqual(in_order_of_hashes(sorted(recorded.split())), recorded.split())

    def test_words_that_were_not(self):
        expected = {
            "TableClass": "STANDARD_INFREQUENT_ACCESS STANDARD",
            "AttributeAction": "ADD DELETE PUT",
            "ComparisonOperator": "IN NULL BETWEEN LT NOT_CONTAINS EQ GT NOT_NULL NE LE BEGINS_WITH GE CONTAINS",
            "ProjectionType": "ALL INCLUDE KEYS_ONLY",
            "StreamViewType": "OLD_IMAGE KEYS_ONLY NEW_AND_OLD_IMAGES NEW_IMAGE",
            "ShardIteratorType": "AFTER_SEQUENCE_NUMBER LATEST AT_SEQUENCE_NUMBER TRIM_HORIZON",
            "SSEType": "AES256 KMS",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD NONE",
            "BackupTypeFilter": "ALL AWS_BACKUP USER SYSTEM",
            "ExportFormat": "ION DYNAMODB_JSON",
            "ExportType": "FULL_EXPORT INCREMENTAL_EXPORT",
            "ExportViewType": "NEW_AND_OLD_IMAGES NEW_IMAGE",
            "InputFormat": "CSV ION DYNAMODB_JSON",
            "S3SseAlgorithm": "AES256 KMS",
            "ContributorInsightsAction": "ENABLE DISABLE",
            "MultiRegionConsistency": "EVENTUAL STRONG",
        }
        for name, words in expected.items():
            enum = DYNAMODB.parts["shapes"]["enums"][name]
            self.assertNotIn("printed", enum)
            self.assertEqual(in_order_of_hashes(enum["values"]), words.split(), name)


class Examples(OfEveryService):
    def each(self):
        for name, operation in self.files.operations.items():
            for example in operation.get("examples", []):
                yield name, operation, example

    def test_every_served_operation_has_one(self):
        for name, operation in self.files.operations.items():
            if operation["status"] == "served":
                self.assertIn("examples", operation, name)

    def test_requests_and_answers_have_members_of_the_operation(self):
        for name, operation, example in self.each():
            inputs = {member["name"] for member in operation["input"]}
            self.assertEqual(example["request"].keys() - inputs, set(), name)
            if "status" not in example:
                outputs = {member["name"] for member in self.files.output_of(operation)}
                self.assertEqual(example["answer"].keys() - outputs, set(), name)

    def test_refusals_name_an_error_as_it_is_declared(self):
        for name, _, example in self.each():
            if "status" in example:
                space, mark, error = example["answer"]["__type"].rpartition("#")
                declared = self.files.parts["errors"][error]
                prefix = self.files.parts["service"]["error_prefixes"][declared["prefix"]]
                self.assertEqual((prefix, declared["status"]), (space + mark, example["status"]), name)


class KindsOfKinesis(unittest.TestCase):
    def test_effects(self):
        reads = re.compile("Get|Describe|List|Subscribe")
        for name, operation in KINESIS.operations.items():
            self.assertEqual(operation["effect"] == "read", bool(reads.match(name)), name)

    def test_data(self):
        named = {name for name, operation in KINESIS.operations.items() if operation["plane"] == "data"}
        self.assertEqual(named, {"PutRecord", "PutRecords", "GetRecords", "GetShardIterator"})

    def test_every_operation_with_a_stream_takes_its_name_or_its_arn(self):
        for name, operation in KINESIS.operations.items():
            inputs = {member["name"] for member in operation["input"]}
            if operation["status"] == "served" and name not in ("CreateStream", "GetRecords", "ListStreams"):
                self.assertLessEqual({"StreamName", "StreamARN"}, inputs, name)

    def test_the_page_lists_what_is_served(self):
        page = (ROOT / "docs" / "kinesis.md").read_text(encoding="utf-8")
        served = {name for name, operation in KINESIS.operations.items() if operation["status"] == "served"}
        listed = set(re.findall(r"`([A-Z]\w+)`", page.split("## Operations")[1].split("##")[0]))
        self.assertEqual(listed, served)


class Routes(unittest.TestCase):
    """Of the service that speaks REST-JSON."""

    def test_every_operation_has_its_own(self):
        routes = [(o["route"]["method"], o["route"]["path"]) for o in LAMBDA.operations.values()]
        self.assertEqual(len(set(routes)), len(routes))

    def test_labels_are_the_members_of_the_path_which_are_required(self):
        for name, operation in LAMBDA.operations.items():
            in_path = [member for member in operation["input"] if member.get("location") == "path"]
            labels = re.findall(r"{(\w+)}", operation["route"]["path"])
            self.assertEqual(labels, [member["name"] for member in in_path], name)
            self.assertTrue(all(member.get("required") for member in in_path), name)

    def test_reads_have_no_body(self):
        for name, operation in LAMBDA.operations.items():
            self.assertEqual(operation["effect"] == "read", operation["route"]["method"] == "GET", name)
            if operation["route"]["method"] in ("GET", "DELETE"):
                self.assertTrue(all("location" in member for member in operation["input"]), name)

    def test_members_of_the_query_are_texts_integers_or_lists_of_texts(self):
        texts = ("String", *LAMBDA.parts["shapes"]["strings"])
        for _, member in LAMBDA.members():
            if member.get("location") == "query":
                self.assertIn(member["type"].removeprefix("list<").removesuffix(">"), ("Integer", *texts), member["name"])

    def test_other_services_have_none(self):
        for files in (DYNAMODB, KINESIS):
            self.assertFalse(any("route" in operation for operation in files.operations.values()))
            self.assertFalse(any("location" in member for _, member in files.members()))

    def test_the_page_lists_what_is_served(self):
        page = (ROOT / "docs" / "triggers.md").read_text(encoding="utf-8")
        listed = set(re.findall(r"`([A-Z]\w+)`", page.split("## Operations")[1].split("##")[0]))
        self.assertEqual(listed, set(LAMBDA.operations))


def of_service(name, files):
    """Returns the tests of every service for another one than DynamoDB."""
    return {tests.__name__ + name: type(tests.__name__ + name, (tests,), {"files": files})
            for tests in (Schema, Operations, Service, Shapes, Examples)}


globals().update(of_service("OfKinesis", KINESIS), **of_service("OfLambda", LAMBDA), **of_service("OfKeyspaces", KEYSPACES))


if __name__ == "__main__":
    unittest.main()
