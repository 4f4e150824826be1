/* A DynamoDB in this process, from C. */

#include <dinette/dinette.h>
#include <stdio.h>

static void call(dinette_service* dynamodb, const char* operation, const char* json) {
  char* reply;
  const int status = dinette_call(dynamodb, operation, json, &reply);
  printf("%s %d\n", operation, status);
  if (status != 200) puts(reply ? reply : "out of memory");
  dinette_free(reply);
}

int main(void) {
  dinette_service* dynamodb = dinette_open();
  if (!dynamodb) return 1;
  call(dynamodb, "CreateTable",
       "{\"TableName\": \"Albums\","
       " \"AttributeDefinitions\": [{\"AttributeName\": \"artist\", \"AttributeType\": \"S\"}],"
       " \"KeySchema\": [{\"AttributeName\": \"artist\", \"KeyType\": \"HASH\"}],"
       " \"BillingMode\": \"PAY_PER_REQUEST\"}");
  call(dynamodb, "PutItem", "{\"TableName\": \"Albums\", \"Item\": {\"artist\": {\"S\": \"Fela Kuti\"}}}");
  call(dynamodb, "PutItem", "{\"TableName\": \"Albums\", \"Item\": {}}");

  char* error;
  const uint16_t port = dinette_serve(dynamodb, 0, &error); /* for SDKs: http://127.0.0.1:port */
  puts(port ? "served" : error);
  dinette_free(error);
  dinette_close(dynamodb);
  return port ? 0 : 1;
}
