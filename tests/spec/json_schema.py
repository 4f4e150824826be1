"""As much of JSON Schema 2020-12 as api-specs/spec.schema.json and the OpenAPI documents use. A keyword that is not known here is an error, so
that nothing in the schema goes unchecked."""

import re

ANNOTATIONS = {"$schema", "$defs", "title", "description", "example"}
TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def same(a, b):
    """Equality of JSON: true is not 1."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Checker:
    def __init__(self, schema):
        self.schema = schema

    def definition(self, name):
        return self.schema["$defs"][name]

    def errors(self, value, schema, path="$"):
        """What is wrong with `value`, a sentence each."""
        found = []
        for keyword, wanted in schema.items():
            if keyword in ANNOTATIONS:
                continue
            check = getattr(self, "check_" + keyword.replace("$", ""), None)
            if check is None:
                raise ValueError(f"the schema uses {keyword}, which this checker does not know")
            found += check(value, wanted, path, schema)
        return found

    def check_ref(self, value, wanted, path, _schema):
        schema = self.schema
        for part in wanted.removeprefix("#/").split("/"):
            schema = schema[part]
        return self.errors(value, schema, path)

    def check_type(self, value, wanted, path, _schema):
        names = wanted if isinstance(wanted, list) else [wanted]
        return [] if any(TYPES[name](value) for name in names) else [f"{path} is not of type {wanted}"]

    def check_enum(self, value, wanted, path, _schema):
        return [] if any(same(value, word) for word in wanted) else [f"{path} is none of {wanted}"]

    def check_const(self, value, wanted, path, _schema):
        return [] if same(value, wanted) else [f"{path} is not {wanted!r}"]

    def check_pattern(self, value, wanted, path, _schema):
        return [] if not isinstance(value, str) or re.search(wanted, value) else [f"{path} does not match {wanted}"]

    def check_minLength(self, value, wanted, path, _schema):
        return [f"{path} is too short"] if isinstance(value, str) and len(value) < wanted else []

    def check_minimum(self, value, wanted, path, _schema):
        return [f"{path} is less than {wanted}"] if TYPES["number"](value) and value < wanted else []

    def check_exclusiveMinimum(self, value, wanted, path, _schema):
        return [f"{path} is not above {wanted}"] if TYPES["number"](value) and value <= wanted else []

    def check_maximum(self, value, wanted, path, _schema):
        return [f"{path} is more than {wanted}"] if TYPES["number"](value) and value > wanted else []

    def check_minItems(self, value, wanted, path, _schema):
        return [f"{path} has too few items"] if isinstance(value, list) and len(value) < wanted else []

    def check_maxItems(self, value, wanted, path, _schema):
        return [f"{path} has too many items"] if isinstance(value, list) and len(value) > wanted else []

    def check_uniqueItems(self, value, wanted, path, _schema):
        repeated = isinstance(value, list) and any(same(a, b) for i, a in enumerate(value) for b in value[:i])
        return [f"{path} repeats an item"] if wanted and repeated else []

    def check_items(self, value, wanted, path, _schema):
        if not isinstance(value, list):
            return []
        return [e for i, item in enumerate(value) for e in self.errors(item, wanted, f"{path}[{i}]")]

    def check_required(self, value, wanted, path, _schema):
        return [f"{path} lacks {name}" for name in wanted if isinstance(value, dict) and name not in value]

    def check_dependentRequired(self, value, wanted, path, _schema):
        return [f"{path} has {name} and lacks {other}" for name, others in wanted.items() for other in others
                if isinstance(value, dict) and name in value and other not in value]

    def check_properties(self, value, wanted, path, _schema):
        if not isinstance(value, dict):
            return []
        return [e for name, schema in wanted.items() if name in value
                for e in self.errors(value[name], schema, f"{path}.{name}")]

    def check_additionalProperties(self, value, wanted, path, schema):
        others = set(value) - set(schema.get("properties", {})) if isinstance(value, dict) else set()
        if wanted is False:
            return [f"{path} has {name}, which is not known" for name in sorted(others)]
        return [e for name in sorted(others) for e in self.errors(value[name], wanted, f"{path}.{name}")]

    def check_propertyNames(self, value, wanted, path, _schema):
        if not isinstance(value, dict):
            return []
        return [e for name in value for e in self.errors(name, wanted, f"{path} key {name}")]
