season = "autumn"
