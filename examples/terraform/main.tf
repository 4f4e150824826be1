terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "dinette" {
  description = "Address of Dinette"
  default     = "http://127.0.0.1:8000"
}

provider "aws" {
  region     = "us-east-1"
  access_key = "any"
  secret_key = "any"

  # These would call AWS: STS, EC2's metadata, STS and IAM.
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true

  endpoints {
    dynamodb = var.dinette
  }
}

resource "aws_dynamodb_table" "albums" {
  name             = "Albums"
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "artist"
  range_key        = "title"
  stream_enabled   = true
  stream_view_type = "NEW_AND_OLD_IMAGES"
  tags             = { team = "music" }

  attribute {
    name = "artist"
    type = "S"
  }
  attribute {
    name = "title"
    type = "S"
  }
  attribute {
    name = "year"
    type = "N"
  }

  global_secondary_index {
    name            = "by-year"
    hash_key        = "artist"
    range_key       = "year"
    projection_type = "ALL"
  }

  ttl {
    attribute_name = "until"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }
}

resource "aws_dynamodb_table_item" "album" {
  table_name = aws_dynamodb_table.albums.name
  hash_key   = aws_dynamodb_table.albums.hash_key
  range_key  = aws_dynamodb_table.albums.range_key
  item = jsonencode({
    artist = { S = "Nina Simone" }
    title  = { S = "Pastel Blues" }
    year   = { N = "1965" }
  })
}
