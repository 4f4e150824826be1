provider "aws" {
  alias  = "west"
  region = "us-west-2"
}

resource "aws_dynamodb_table" "beds" {
  name         = "${var.prefix}-${local.kind}"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "bed"

  attribute {
    name = "bed"
    type = "S"
  }

  tags = {
    Owner  = var.owner
    Season = var.season
    Depth  = var.depths[1]
  }
}
