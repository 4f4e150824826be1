// SDK v2 for Go, as it is used: every case has a table of its own. The environment leads it to the server.
package clients

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// The runner has put a line per item there.
const bucket, prefix = "clients", "in/"

const patience = time.Minute

var ctx = context.Background()

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

type item = map[string]types.AttributeValue

func key(number int) item {
	return item{"p": &types.AttributeValueMemberS{Value: "a"}, "s": n(fmt.Sprint(number))}
}

func n(digits string) types.AttributeValue { return &types.AttributeValueMemberN{Value: digits} }

type table struct {
	*testing.T
	client *dynamodb.Client
	made   *types.TableDescription
	name   *string
}

// newTable creates a table, which is dropped at the end of the case.
func newTable(t *testing.T) table {
	loaded := must[aws.Config](t)(config.LoadDefaultConfig(ctx))
	client := dynamodb.NewFromConfig(loaded)
	name := aws.String(t.Name())
	created := must[*dynamodb.CreateTableOutput](t)(client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("p"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("s"), AttributeType: types.ScalarAttributeTypeN}},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("p"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("s"), KeyType: types.KeyTypeRange}},
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages}}))
	described := &dynamodb.DescribeTableInput{TableName: name}
	check(t, dynamodb.NewTableExistsWaiter(client).Wait(ctx, described, patience))
	t.Cleanup(func() {
		must[*dynamodb.DeleteTableOutput](t)(client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: name}))
		check(t, dynamodb.NewTableNotExistsWaiter(client).Wait(ctx, described, patience))
	})
	return table{t, client, created.TableDescription, name}
}

func (t table) put(count int) {
	t.Helper()
	for number := 0; number < count; number++ {
		_, err := t.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: t.name, Item: key(number)})
		check(t.T, err)
	}
}

func TestTables(test *testing.T) {
	t := newTable(test)
	var names []string
	for pages := dynamodb.NewListTablesPaginator(t.client, &dynamodb.ListTablesInput{Limit: aws.Int32(1)}); pages.HasMorePages(); {
		names = append(names, must[*dynamodb.ListTablesOutput](test)(pages.NextPage(ctx)).TableNames...)
	}
	if !strings.Contains(strings.Join(names, " "), *t.name) {
		t.Fatal(names)
	}
}

func TestItems(test *testing.T) {
	t := newTable(test)
	put := key(1)
	put["map"] = &types.AttributeValueMemberM{Value: item{"deep": &types.AttributeValueMemberSS{Value: []string{"x", "y"}}}}
	_, err := t.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: t.name, Item: put})
	check(test, err)
	read := must[*dynamodb.GetItemOutput](test)(t.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: t.name, Key: key(1)}))
	deep := read.Item["map"].(*types.AttributeValueMemberM).Value["deep"]
	same(test, deep.(*types.AttributeValueMemberSS).Value, []string{"x", "y"})
	updated := must[*dynamodb.UpdateItemOutput](test)(t.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: t.name, Key: key(1), UpdateExpression: aws.String("ADD #n :one"), ReturnValues: types.ReturnValueUpdatedNew,
		ExpressionAttributeNames: map[string]string{"#n": "n"}, ExpressionAttributeValues: item{":one": n("1")}}))
	same(test, updated.Attributes["n"].(*types.AttributeValueMemberN).Value, "1")
	deleted := must[*dynamodb.DeleteItemOutput](test)(t.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: t.name, Key: key(1), ReturnValues: types.ReturnValueAllOld}))
	same(test, len(deleted.Attributes), 4)
}

func TestConditions(test *testing.T) {
	t := newTable(test)
	t.put(1)
	_, err := t.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: t.name, Item: key(0), ConditionExpression: aws.String("attribute_not_exists(p)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) {
		t.Fatal(err)
	}
	same(test, len(failed.Item), 2)
}

func TestQueryInPages(test *testing.T) {
	t := newTable(test)
	t.put(30)
	var found []string
	pages := dynamodb.NewQueryPaginator(t.client, &dynamodb.QueryInput{
		TableName: t.name, Limit: aws.Int32(7), KeyConditionExpression: aws.String("p = :p AND s >= :s"),
		ExpressionAttributeValues: item{":p": &types.AttributeValueMemberS{Value: "a"}, ":s": n("25")}})
	for pages.HasMorePages() {
		for _, read := range must[*dynamodb.QueryOutput](test)(pages.NextPage(ctx)).Items {
			found = append(found, read["s"].(*types.AttributeValueMemberN).Value)
		}
	}
	same(test, found, []string{"25", "26", "27", "28", "29"})
}

func TestBatches(test *testing.T) {
	t := newTable(test)
	var puts []types.WriteRequest
	var keys []item
	for number := 0; number < 25; number++ {
		puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: key(number)}})
		keys = append(keys, key(number))
	}
	_, err := t.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{*t.name: puts}})
	check(test, err)
	read := must[*dynamodb.BatchGetItemOutput](test)(t.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{*t.name: {Keys: keys}}}))
	same(test, len(read.Responses[*t.name]), 25)
}

func TestTransactions(test *testing.T) {
	t := newTable(test)
	put := &types.Put{TableName: t.name, Item: key(1), ConditionExpression: aws.String("attribute_not_exists(p)")}
	actions := []types.TransactWriteItem{{Put: put}}
	_, err := t.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	check(test, err)
	_, err = t.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatal(err)
	}
	same(test, *cancelled.CancellationReasons[0].Code, "ConditionalCheckFailed")
	read := must[*dynamodb.TransactGetItemsOutput](test)(t.client.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: t.name, Key: key(1)}}}}))
	same(test, len(read.Responses[0].Item), 2)
}

func TestStatements(test *testing.T) {
	t := newTable(test)
	t.put(3)
	read := must[*dynamodb.ExecuteStatementOutput](test)(t.client.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{
		Statement:  aws.String(fmt.Sprintf(`SELECT s FROM "%s" WHERE p = ? AND s >= 1`, *t.name)),
		Parameters: []types.AttributeValue{&types.AttributeValueMemberS{Value: "a"}}}))
	same(test, len(read.Items), 2)
}

func TestStreams(test *testing.T) {
	t := newTable(test)
	t.put(1)
	_, err := t.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: t.name, Key: key(0)})
	check(test, err)
	reader := dynamodbstreams.NewFromConfig(must[aws.Config](test)(config.LoadDefaultConfig(ctx)))
	arn := t.made.LatestStreamArn
	stream := must[*dynamodbstreams.DescribeStreamOutput](test)(
		reader.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn}))
	var events []streamtypes.OperationType
	for _, shard := range stream.StreamDescription.Shards {
		begin := must[*dynamodbstreams.GetShardIteratorOutput](test)(
			reader.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
				StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon}))
		read := must[*dynamodbstreams.GetRecordsOutput](test)(
			reader.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: begin.ShardIterator}))
		for _, record := range read.Records {
			events = append(events, record.EventName)
		}
	}
	same(test, events, []streamtypes.OperationType{"INSERT", "REMOVE"})
}

func TestBulkWrites(test *testing.T) {
	t := newTable(test)
	started := must[*dynamodb.StartBulkPutItemsOutput](test)(t.client.StartBulkPutItems(ctx, &dynamodb.StartBulkPutItemsInput{
		TableName: t.name,
		InputS3Configuration: &types.InputS3Configuration{
			S3Bucket: aws.String(bucket), S3KeyPrefix: aws.String(prefix), InputFormat: "DYNAMODB_JSON"},
		OutputS3Configuration: &types.OutputS3Configuration{
			S3Bucket: aws.String(bucket), S3KeyPrefix: aws.String("reports"), OutputType: []types.OutputTypeEnum{"ERROR"}}}))
	done := must[*dynamodb.DescribeBulkOperationOutput](test)(dynamodb.NewBulkOperationCompletedWaiter(t.client,
		func(options *dynamodb.BulkOperationCompletedWaiterOptions) {
			options.MinDelay, options.MaxDelay = time.Second, time.Second
		}).WaitForOutput(ctx,
		&dynamodb.DescribeBulkOperationInput{BulkOperationArn: started.BulkOperationDescription.BulkOperationArn}, patience))
	same(test, done.BulkOperationDescription.ProcessedItemCount, 3)
}

func TestFilteredExports(test *testing.T) {
	t := newTable(test)
	t.put(10)
	_, err := t.client.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
		TableName:                        t.name,
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}})
	check(test, err)
	started := must[*dynamodb.ExportTableToPointInTimeOutput](test)(
		t.client.ExportTableToPointInTime(ctx, &dynamodb.ExportTableToPointInTimeInput{
			TableArn: t.made.TableArn, S3Bucket: aws.String(bucket),
			FilterSpecification: &types.FilterSpecification{
				FilterExpression: aws.String("s < :n"), ExpressionAttributeValues: item{":n": n("4")}}}))
	done := must[*dynamodb.DescribeExportOutput](test)(dynamodb.NewExportCompletedWaiter(t.client,
		func(options *dynamodb.ExportCompletedWaiterOptions) {
			options.MinDelay, options.MaxDelay = time.Second, time.Second
		}).WaitForOutput(ctx, &dynamodb.DescribeExportInput{ExportArn: started.ExportDescription.ExportArn}, patience))
	same(test, *done.ExportDescription.ItemCount, 4)
}
