import boto3
import pytest


@pytest.fixture(scope="session", autouse=True)
def tables(dinette_server):
    """Creates once what every test needs. Each of them has a copy."""
    boto3.client("dynamodb", **dinette_server.world.client_arguments).create_table(
        TableName="Albums", AttributeDefinitions=[{"AttributeName": "artist", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "artist", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST")


@pytest.fixture
def dynamodb(dinette_world):
    return boto3.client("dynamodb", **dinette_world.client_arguments)
