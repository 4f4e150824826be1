# As Terraform before 0.12 took it: a list of maps instead of blocks, and templates around references.
provider "aws" {
  region  = "${var.region}"
  version = "~> 1.0"
}

variable "region" {
  default = "us-east-1"
}

resource "aws_dynamodb_table" "links" {
  name = "links"
  lifecycle {
    ignore_changes = [
      "read_capacity",
      "write_capacity"
    ]
  }
  // A comment
  read_capacity = 1
  write_capacity = "1"
  hash_key = "prefix"
  range_key = "unique_part"

  attribute = [
    {
      name = "prefix"
      type = "S"
    },
    {
      name = "unique_part"
      type = "S"
    }
  ]

  point_in_time_recovery {
    enabled = true
  }

  tags {
    key = "Site"
  }
}
