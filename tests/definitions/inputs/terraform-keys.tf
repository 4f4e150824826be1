variable "app" {
  type        = string
  description = "prefix of all names"
  default     = "quiz"
}

resource "aws_kms_key" "app" {
  description = "for ${var.app}"
  policy      = templatefile("${path.module}/policy.json", { app = var.app })
}

/* Written by a job,
   read by one function. */
resource "aws_dynamodb_table" "favourites" {
  deletion_protection_enabled = true
  name                        = "${var.app}-favourites"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "pk"
  range_key                   = "sk"

  attribute {
    name = "pk" # show and season
    type = "S"
  }
  attribute {
    name = "sk"
    type = "S"
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.app.arn
  }

  point_in_time_recovery { enabled = true }
  tags = merge(local.common, { Name = "favourites" })
}

locals {
  common = { Project = var.app }
}

resource "aws_dynamodb_table" "sockets" {
  name         = "${var.app}-sockets"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "connection_id"
  attribute {
    name = "connection_id"
    type = "S"
  }
  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.app.arn
  }
  ttl {
    attribute_name = "ttl"
    enabled        = true
  }
  tags = local.common
}
