"""Code that is tested. It knows nothing of Dinette."""


class Plays:
    """How often artists are played. `dynamodb`: a client of boto3."""

    def __init__(self, dynamodb):
        self._dynamodb = dynamodb

    def add(self, artist):
        self._dynamodb.update_item(TableName="Albums", Key={"artist": {"S": artist}}, UpdateExpression="ADD plays :one",
                                   ExpressionAttributeValues={":one": {"N": "1"}})

    def count(self, artist):
        item = self._dynamodb.get_item(TableName="Albums", Key={"artist": {"S": artist}}).get("Item")
        return int(item["plays"]["N"]) if item else 0
