"""The API model of Debian's botocore with vector indexes and SearchVectors, which it does not have yet: for boto3 and the AWS
CLI, which read models in a folder that AWS_DATA_PATH names."""

import json
import os

import botocore.loaders

SHAPES = {
    "VectorAttributeDefinition": {"AttributeName": "String"},
    "SearchSchemaElement": {"AttributeName": "String", "SearchSchemaElementType": "String"},
    "VectorIndex": {"IndexName": "IndexName", "VectorAttribute": "VectorAttributeDefinition", "SearchSchema": "SearchSchema",
                    "Projection": "Projection", "Dimensions": "Integer", "DistanceFunction": "String"},
    "VectorIndexDescription": {
        "IndexName": "IndexName", "SearchSchema": "SearchSchema", "Projection": "Projection",
        "VectorAttribute": "VectorAttributeDefinition", "Dimensions": "Integer", "DistanceFunction": "String",
        "IndexStatus": "IndexStatus", "Backfilling": "Backfilling", "IndexSizeBytes": "Long",
        "ItemCount": "Long", "IndexArn": "String"},
    "DeleteVectorIndexAction": {"IndexName": "IndexName"},
    "VectorIndexUpdate": {"Create": "VectorIndex", "Delete": "DeleteVectorIndexAction"},
    "VectorCapacity": {"VectorSearchRequestBytes": "Long", "VectorWriteRequestBytes": "Long"},
    "SearchResultItem": {"Item": "AttributeMap", "Score": "Score"},
    "SearchVectorsInput": {
        "TableName": "TableArn", "IndexName": "IndexName", "ReturnConsumedCapacity": "ReturnConsumedCapacity",
        "ExpressionAttributeNames": "ExpressionAttributeNameMap",
        "ExpressionAttributeValues": "ExpressionAttributeValueMap", "ProjectionExpression": "ProjectionExpression",
        "SearchVector": "SearchVector", "SearchConditionExpression": "KeyExpression", "TopK": "Integer"},
    "SearchVectorsOutput": {"ConsumedCapacity": "VectorCapacity", "SearchResults": "SearchResults"},
}
LISTS = {"SearchSchema": "SearchSchemaElement", "VectorIndexList": "VectorIndex", "VectorIndexUpdateList": "VectorIndexUpdate",
         "VectorIndexDescriptionList": "VectorIndexDescription", "SearchVector": "AttributeValue",
         "SearchResults": "SearchResultItem"}
NEW_MEMBERS = {"CreateTableInput": {"VectorIndexes": "VectorIndexList"},
               "UpdateTableInput": {"VectorIndexUpdates": "VectorIndexUpdateList"},
               "TableDescription": {"VectorIndexes": "VectorIndexDescriptionList"},
               "ConsumedCapacity": {"VectorIndexes": "VectorCapacityMap"}}


def _members(shapes):
    return {name: {"shape": shape} for name, shape in shapes.items()}


def write_model(folder):
    """Writes the extended model to a folder for AWS_DATA_PATH."""
    model = botocore.loaders.Loader().load_service_model("dynamodb", "service-2")
    shapes = model["shapes"]
    for name, members in SHAPES.items():
        shapes.setdefault(name, {"type": "structure", "members": _members(members)})
    for name, element in LISTS.items():
        shapes.setdefault(name, {"type": "list", "member": {"shape": element}})
    shapes.setdefault("Score", {"type": "double"})
    shapes.setdefault("VectorCapacityMap", {"type": "map", "key": {"shape": "IndexName"}, "value": {"shape": "VectorCapacity"}})
    for name, members in NEW_MEMBERS.items():
        shapes[name]["members"].update(_members(members))
    model["operations"].setdefault("SearchVectors", {
        "name": "SearchVectors", "http": {"method": "POST", "requestUri": "/"},
        "input": {"shape": "SearchVectorsInput"}, "output": {"shape": "SearchVectorsOutput"}, "errors": []})
    place = os.path.join(folder, "dynamodb", model["metadata"]["apiVersion"])
    os.makedirs(place)
    with open(os.path.join(place, "service-2.json"), "w") as file:
        json.dump(model, file)
