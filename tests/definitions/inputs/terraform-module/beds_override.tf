resource "aws_dynamodb_table" "beds" {
  billing_mode = "PROVISIONED"
}
