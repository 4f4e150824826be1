import boto3
import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy


@pytest.fixture(scope="session")
def dynamodb():
    with DockerContainer("dinette").with_exposed_ports(8000).waiting_for(HttpWaitStrategy(8000)) as dinette:
        address = f"http://{dinette.get_container_host_ip()}:{dinette.get_exposed_port(8000)}"
        yield boto3.client("dynamodb", endpoint_url=address, region_name="us-east-1",
                           aws_access_key_id="any", aws_secret_access_key="any")


def test_an_item_is_read(dynamodb):
    dynamodb.create_table(
        TableName="Albums", AttributeDefinitions=[{"AttributeName": "artist", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "artist", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST")
    item = {"artist": {"S": "Nina Simone"}, "year": {"N": "1965"}}
    dynamodb.put_item(TableName="Albums", Item=item)
    assert dynamodb.get_item(TableName="Albums", Key={"artist": item["artist"]})["Item"] == item
