"""boto3 clients that do not depend on the machine: no profile, no environment, no retries."""

import boto3
from botocore.config import Config

ONE_ATTEMPT = Config(retries={"total_max_attempts": 1, "mode": "standard"}, connect_timeout=10, read_timeout=60)


def _arguments(endpoint, region, key, secret, token, options):
    return dict(endpoint_url=endpoint, region_name=region, aws_access_key_id=key, aws_secret_access_key=secret,
                aws_session_token=token, config=ONE_ATTEMPT, **options)


def client(endpoint, region="us-east-1", key="key", secret="secret", token=None, service="dynamodb", **options):
    return boto3.Session().client(service, **_arguments(endpoint, region, key, secret, token, options))


def resource(endpoint, region="us-east-1", key="key", secret="secret", token=None, **options):
    return boto3.Session().resource("dynamodb", **_arguments(endpoint, region, key, secret, token, options))


def create_table(client_, name="Music"):
    return client_.create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": "artist", "AttributeType": "S"},
                              {"AttributeName": "song", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "artist", "KeyType": "HASH"}, {"AttributeName": "song", "KeyType": "RANGE"}],
        BillingMode="PAY_PER_REQUEST")["TableDescription"]
