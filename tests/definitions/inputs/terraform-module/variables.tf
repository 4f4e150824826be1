variable "prefix" {
  default = "dev"
}

variable "owner" {
  type = string
}

variable "season" {
  default = "spring"
}

variable "depths" {
  type = list(number)
}

locals {
  kind = "beds"
}
