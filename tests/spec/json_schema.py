"""JSON Schema 2020-12, by the jsonschema of Debian (4.10 or later). Two rules are stricter, so that nothing goes
unchecked: a keyword that is not known is an error, and 1.0 is not an integer."""

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

ANNOTATIONS = {"$schema", "$defs", "title", "description", "example"}
# Keywords of which the value is no schema, but may look like one.
OF_VALUES = {"const", "enum", "example", "dependentRequired"}
OF_NAMED_SCHEMAS = {"$defs", "properties"}

Validator = extend(Draft202012Validator, type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
    "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)))


def check_keywords(schema):
    unknown = set(schema) - set(Validator.VALIDATORS) - ANNOTATIONS
    if unknown:
        raise ValueError(f"the schema uses {unknown}, which JSON Schema does not have")
    for keyword in set(schema) - OF_VALUES:
        value = schema[keyword]
        inner = value.values() if keyword in OF_NAMED_SCHEMAS else value if isinstance(value, list) else [value]
        for part in inner:
            if isinstance(part, dict):
                check_keywords(part)


class Checker:
    def __init__(self, document, schemas):
        """`schemas` are those of the document, by name; `$ref` refers to the document."""
        self.document = document
        for schema in schemas.values():
            Validator.check_schema(schema)
            check_keywords(schema)

    def errors(self, value, schema):
        """Returns what is wrong with `value`, one sentence each."""
        check_keywords(schema)
        found = Validator({**self.document, **schema}).iter_errors(value)
        return [f"{error.json_path}: {error.message}" for error in found]
