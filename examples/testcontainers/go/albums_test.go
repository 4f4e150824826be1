package albums

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

func startDinette(t *testing.T) *dynamodb.Client {
	ctx := context.Background()
	dinette, err := testcontainers.Run(ctx, "dinette",
		testcontainers.WithExposedPorts("8000/tcp"),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/").WithPort("8000/tcp")))
	testcontainers.CleanupContainer(t, dinette)
	if err != nil {
		t.Fatal(err)
	}
	address, err := dinette.PortEndpoint(ctx, "8000/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(address),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("any", "any", ""),
	})
}

func TestAnItemIsRead(t *testing.T) {
	ctx := context.Background()
	client := startDinette(t)
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String("Albums"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("artist"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("artist"), KeyType: types.KeyTypeHash}},
		BillingMode:          types.BillingModePayPerRequest,
	})
	if err != nil {
		t.Fatal(err)
	}
	artist := &types.AttributeValueMemberS{Value: "Nina Simone"}
	item := map[string]types.AttributeValue{"artist": artist, "year": &types.AttributeValueMemberN{Value: "1965"}}
	if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("Albums"), Item: item}); err != nil {
		t.Fatal(err)
	}
	key := map[string]types.AttributeValue{"artist": artist}
	read, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("Albums"), Key: key})
	if err != nil {
		t.Fatal(err)
	}
	if year := read.Item["year"].(*types.AttributeValueMemberN).Value; year != "1965" {
		t.Errorf("the year is %s", year)
	}
}
