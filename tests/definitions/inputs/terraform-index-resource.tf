locals {
  people_table = "app-people"
}

resource "aws_dynamodb_table" "people" {
  name         = local.people_table
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "userId"
  range_key    = "personId"
  attribute {
    name = "userId"
    type = "S"
  }
  attribute {
    name = "personId"
    type = "S"
  }
}

resource "aws_dynamodb_global_secondary_index" "by_group" {
  table_name = aws_dynamodb_table.people.name
  index_name = "byGroup"

  key_schema {
    attribute_name = "groupId"
    attribute_type = "S"
    key_type       = "HASH"
  }
  key_schema {
    attribute_name = "personId"
    attribute_type = "S"
    key_type       = "RANGE"
  }
  projection {
    projection_type = "ALL"
  }
}
