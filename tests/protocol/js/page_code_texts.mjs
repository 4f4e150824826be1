// What a request is in each language, to the letter.

export const request = {
  TableName: "Music", IndexName: "byYear", Limit: 5, ConsistentRead: true, ScanIndexForward: false,
  KeyConditionExpression: "#n0 = :v0", ExpressionAttributeNames: { "#n0": "artist" },
  ExpressionAttributeValues: { ":v0": { S: "O'Hara \"x\" $HOME\n" }, ":v1": { B: "AAH/" }, ":v2": { NS: ["1", "2.50"] } },
};

export const texts = {
  cli: String.raw`AWS_ACCESS_KEY_ID=my-fork AWS_SECRET_ACCESS_KEY=any \
  aws dynamodb query \
  --table-name Music \
  --index-name byYear \
  --limit 5 \
  --consistent-read \
  --no-scan-index-forward \
  --key-condition-expression '#n0 = :v0' \
  --expression-attribute-names '{"#n0":"artist"}' \
  --expression-attribute-values '{":v0":{"S":"O'\''Hara \"x\" $HOME\n"},":v1":{"B":"AAH/"},":v2":{"NS":["1","2.50"]}}' \
  --endpoint-url http://127.0.0.1:8000 --region us-east-1
`,
  javascript: String.raw`import { DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient({
  endpoint: "http://127.0.0.1:8000",
  region: "us-east-1",
  credentials: { accessKeyId: "my-fork", secretAccessKey: "any" },
});

const response = await client.send(new QueryCommand({
  TableName: "Music",
  IndexName: "byYear",
  Limit: 5,
  ConsistentRead: true,
  ScanIndexForward: false,
  KeyConditionExpression: "#n0 = :v0",
  ExpressionAttributeNames: { "#n0": "artist" },
  ExpressionAttributeValues: {
    ":v0": { S: "O'Hara \"x\" $HOME\n" },
    ":v1": { B: Buffer.from("AAH/", "base64") },
    ":v2": { NS: ["1", "2.50"] },
  },
}));
console.log(response);
`,
  python: String.raw`import base64

import boto3

client = boto3.client(
    service_name="dynamodb",
    endpoint_url="http://127.0.0.1:8000",
    region_name="us-east-1",
    aws_access_key_id="my-fork",
    aws_secret_access_key="any",
)
response = client.query(
    TableName="Music",
    IndexName="byYear",
    Limit=5,
    ConsistentRead=True,
    ScanIndexForward=False,
    KeyConditionExpression="#n0 = :v0",
    ExpressionAttributeNames={"#n0": "artist"},
    ExpressionAttributeValues={
        ":v0": {"S": "O'Hara \"x\" $HOME\n"},
        ":v1": {"B": base64.b64decode("AAH/")},
        ":v2": {"NS": ["1", "2.50"]},
    },
)
print(response)
`,
  java: String.raw`import java.net.URI;
import java.util.*;
import software.amazon.awssdk.auth.credentials.*;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;

DynamoDbClient client = DynamoDbClient.builder()
    .endpointOverride(URI.create("http://127.0.0.1:8000"))
    .region(Region.of("us-east-1"))
    .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("my-fork", "any")))
    .build();

QueryResponse response = client.query(QueryRequest.builder()
    .tableName("Music")
    .indexName("byYear")
    .limit(5)
    .consistentRead(true)
    .scanIndexForward(false)
    .keyConditionExpression("#n0 = :v0")
    .expressionAttributeNames(Map.of("#n0", "artist"))
    .expressionAttributeValues(Map.of(
        ":v0", AttributeValue.fromS("O'Hara \"x\" $HOME\n"),
        ":v1", AttributeValue.fromB(SdkBytes.fromByteArray(Base64.getDecoder().decode("AAH/"))),
        ":v2", AttributeValue.fromNs(List.of("1", "2.50"))
    ))
    .build());
System.out.println(response);
`,
  go: String.raw`package main

import (
	"context"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func main() {
	ctx := context.Background()
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String("http://127.0.0.1:8000"),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("my-fork", "any", ""),
	})
	response, err := client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("Music"),
		IndexName: aws.String("byYear"),
		Limit: aws.Int32(5),
		ConsistentRead: aws.Bool(true),
		ScanIndexForward: aws.Bool(false),
		KeyConditionExpression: aws.String("#n0 = :v0"),
		ExpressionAttributeNames: map[string]string{"#n0": "artist"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":v0": &types.AttributeValueMemberS{Value: "O'Hara \"x\" $HOME\n"},
			":v1": &types.AttributeValueMemberB{Value: []byte("\x00\x01\xff")},
			":v2": &types.AttributeValueMemberNS{Value: []string{"1", "2.50"}},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response)
}
`,
  curl: String.raw`curl http://127.0.0.1:8000/ \
  -H 'Content-Type: application/x-amz-json-1.0' \
  -H 'X-Amz-Target: DynamoDB_20120810.Query' \
  -H 'Authorization: AWS4-HMAC-SHA256 Credential=my-fork/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none' \
  --data-raw '{
  "TableName": "Music",
  "IndexName": "byYear",
  "Limit": 5,
  "ConsistentRead": true,
  "ScanIndexForward": false,
  "KeyConditionExpression": "#n0 = :v0",
  "ExpressionAttributeNames": {
    "#n0": "artist"
  },
  "ExpressionAttributeValues": {
    ":v0": {
      "S": "O'\''Hara \"x\" $HOME\n"
    },
    ":v1": {
      "B": "AAH/"
    },
    ":v2": {
      "NS": [
        "1",
        "2.50"
      ]
    }
  }
}'
`,
};

// What a Scan of all pages, of 5 items each, has that a Scan of one has not.
export const pagedTexts = {
  cli: String.raw`aws dynamodb scan \
  --table-name Music \
  --page-size 5 \
  --endpoint-url`,
  javascript: `for await (const page of paginateScan({ client, pageSize: 5 }, { TableName: "Music" })) {
  console.log(page.Items);
}
`,
  python: `pages = client.get_paginator("scan").paginate(TableName="Music", PaginationConfig={"PageSize": 5})
for page in pages:
    print(page["Items"])
`,
  java: `
client.scanPaginator(ScanRequest.builder().tableName("Music").limit(5).build()).items().forEach(System.out::println);
`,
  go: `
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: aws.String("Music"), Limit: aws.Int32(5)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(page.Items)
	}
}
`,
  curl: String.raw`  page=$(curl -sS http://127.0.0.1:8000/ \
    -H 'Content-Type: application/x-amz-json-1.0' \
    -H 'X-Amz-Target: DynamoDB_20120810.Scan' \
    -H 'Authorization: AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none' \
    --data-raw "$request")
  printf '%s\n' "$page"
  request=$(printf '%s' "$page" | jq --argjson request "$request" \
    '.LastEvaluatedKey | values | $request + {ExclusiveStartKey: .}')
done
`,
};
