package albums;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@Testcontainers
class AlbumsTest {
  @Container
  static final GenericContainer<?> dinette =
      new GenericContainer<>(DockerImageName.parse("dinette"))
          .withExposedPorts(8000)
          .waitingFor(Wait.forHttp("/").forPort(8000));

  static DynamoDbClient client() {
    return DynamoDbClient.builder()
        .endpointOverride(URI.create("http://" + dinette.getHost() + ":" + dinette.getMappedPort(8000)))
        .region(Region.US_EAST_1)
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
        .build();
  }

  @Test
  void anItemIsRead() {
    try (DynamoDbClient client = client()) {
      client.createTable(table -> table
          .tableName("Albums")
          .attributeDefinitions(attribute -> attribute.attributeName("artist").attributeType(ScalarAttributeType.S))
          .keySchema(key -> key.attributeName("artist").keyType(KeyType.HASH))
          .billingMode(BillingMode.PAY_PER_REQUEST));
      Map<String, AttributeValue> key = Map.of("artist", AttributeValue.fromS("Nina Simone"));
      Map<String, AttributeValue> item = Map.of("artist", key.get("artist"), "year", AttributeValue.fromN("1965"));
      client.putItem(put -> put.tableName("Albums").item(item));
      assertEquals(item, client.getItem(get -> get.tableName("Albums").key(key)).item());
    }
  }
}
