# Terraform reads this file first.
owner  = "ops"
season = "summer"
