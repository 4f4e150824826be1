// SDK v2 for Java, as it is used: every case has a table of its own. The environment leads it to the server.
package dinette;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import software.amazon.awssdk.core.retry.backoff.FixedDelayBackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

class SdkTest {
  static final String BUCKET = "clients";

  final DynamoDbClient client = DynamoDbClient.create();
  final DynamoDbWaiter waiter =
      DynamoDbWaiter.builder()
          .client(client)
          .overrideConfiguration(o -> o.backoffStrategy(FixedDelayBackoffStrategy.create(Duration.ofSeconds(1))))
          .build();
  TableDescription made;
  String table;

  @BeforeEach
  void create(TestInfo info) {
    table = info.getTestMethod().orElseThrow().getName();
    made =
        client
            .createTable(
                r ->
                    r.tableName(table)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(
                            a -> a.attributeName("p").attributeType("S"), a -> a.attributeName("s").attributeType("N"))
                        .keySchema(k -> k.attributeName("p").keyType("HASH"), k -> k.attributeName("s").keyType("RANGE"))
                        .streamSpecification(s -> s.streamEnabled(true).streamViewType("NEW_AND_OLD_IMAGES")))
            .tableDescription();
    waiter.waitUntilTableExists(r -> r.tableName(table));
  }

  @AfterEach
  void drop() {
    client.deleteTable(r -> r.tableName(table));
    waiter.waitUntilTableNotExists(r -> r.tableName(table));
  }

  static AttributeValue s(String text) {
    return AttributeValue.fromS(text);
  }

  static AttributeValue n(String digits) {
    return AttributeValue.fromN(digits);
  }

  static Map<String, AttributeValue> key(int number) {
    return Map.of("p", s("a"), "s", n("" + number));
  }

  void put(int count) {
    for (int number = 0; number < count; number++) {
      var item = key(number);
      client.putItem(r -> r.tableName(table).item(item));
    }
  }

  @Test
  void tables() {
    assertTrue(client.listTablesPaginator(r -> r.limit(1)).tableNames().stream().anyMatch(table::equals));
  }

  @Test
  void items() {
    var item = Map.of("p", s("a"), "s", n("1"), "map", AttributeValue.fromM(Map.of("deep", AttributeValue.fromBool(true))));
    client.putItem(r -> r.tableName(table).item(item));
    assertEquals(item, client.getItem(r -> r.tableName(table).key(key(1))).item());
    var updated =
        client.updateItem(
            r ->
                r.tableName(table)
                    .key(key(1))
                    .updateExpression("ADD #n :one")
                    .expressionAttributeNames(Map.of("#n", "n"))
                    .expressionAttributeValues(Map.of(":one", n("1")))
                    .returnValues(ReturnValue.UPDATED_NEW));
    assertEquals(Map.of("n", n("1")), updated.attributes());
    assertEquals(4, client.deleteItem(r -> r.tableName(table).key(key(1)).returnValues("ALL_OLD")).attributes().size());
  }

  @Test
  void conditions() {
    put(1);
    var failed =
        assertThrows(
            ConditionalCheckFailedException.class,
            () ->
                client.putItem(
                    r ->
                        r.tableName(table)
                            .item(key(0))
                            .conditionExpression("attribute_not_exists(p)")
                            .returnValuesOnConditionCheckFailure("ALL_OLD")));
    assertEquals(key(0), failed.item());
  }

  @Test
  void queryInPages() {
    put(30);
    var pages =
        client.queryPaginator(
            r ->
                r.tableName(table)
                    .limit(7)
                    .keyConditionExpression("p = :p AND s >= :s")
                    .expressionAttributeValues(Map.of(":p", s("a"), ":s", n("10"))));
    assertEquals(
        IntStream.range(10, 30).mapToObj(SdkTest::key).toList(), pages.items().stream().map(Map::copyOf).toList());
  }

  @Test
  void batches() {
    var keys = IntStream.range(0, 25).mapToObj(SdkTest::key).toList();
    var puts =
        keys.stream().map(item -> WriteRequest.builder().putRequest(p -> p.item(item)).build()).toList();
    client.batchWriteItem(r -> r.requestItems(Map.of(table, puts)));
    var read = Map.of(table, KeysAndAttributes.builder().keys(keys).build());
    assertEquals(25, client.batchGetItem(r -> r.requestItems(read)).responses().get(table).size());
  }

  @Test
  void transactions() {
    var put =
        TransactWriteItem.builder()
            .put(p -> p.tableName(table).item(key(1)).conditionExpression("attribute_not_exists(p)"))
            .build();
    client.transactWriteItems(r -> r.transactItems(put));
    var cancelled =
        assertThrows(TransactionCanceledException.class, () -> client.transactWriteItems(r -> r.transactItems(put)));
    assertEquals("ConditionalCheckFailed", cancelled.cancellationReasons().get(0).code());
    var read = client.transactGetItems(r -> r.transactItems(i -> i.get(g -> g.tableName(table).key(key(1)))));
    assertEquals(key(1), read.responses().get(0).item());
  }

  @Test
  void statements() {
    put(3);
    var statement = "SELECT s FROM \"" + table + "\" WHERE p = ? AND s >= 1";
    var read = client.executeStatement(r -> r.statement(statement).parameters(s("a")));
    assertEquals(List.of(Map.of("s", n("1")), Map.of("s", n("2"))), read.items());
  }

  @Test
  void streams() {
    put(1);
    client.deleteItem(r -> r.tableName(table).key(key(0)));
    var reader = DynamoDbStreamsClient.create();
    var arn = made.latestStreamArn();
    var events =
        reader.describeStream(r -> r.streamArn(arn)).streamDescription().shards().stream()
            .map(
                shard ->
                    reader.getShardIterator(
                        r -> r.streamArn(arn).shardId(shard.shardId()).shardIteratorType("TRIM_HORIZON")))
            .flatMap(begin -> reader.getRecords(r -> r.shardIterator(begin.shardIterator())).records().stream())
            .map(software.amazon.awssdk.services.dynamodb.model.Record::eventNameAsString)
            .toList();
    assertEquals(List.of("INSERT", "REMOVE"), events);
  }

  @Test
  @Disabled("the SDK for Java 2.57.8 has no startBulkPutItems")
  void bulkWrites() {}

  @Test
  void filteredExports() {
    put(10);
    client.updateContinuousBackups(
        r -> r.tableName(table).pointInTimeRecoverySpecification(p -> p.pointInTimeRecoveryEnabled(true)));
    var arn =
        client
            .exportTableToPointInTime(
                r ->
                    r.tableArn(made.tableArn())
                        .s3Bucket(BUCKET)
                        .filterSpecification(
                            f -> f.filterExpression("s < :n").expressionAttributeValues(Map.of(":n", n("4")))))
            .exportDescription()
            .exportArn();
    waiter.waitUntilExportCompleted(r -> r.exportArn(arn));
    assertEquals(4, client.describeExport(r -> r.exportArn(arn)).exportDescription().itemCount());
  }
}
