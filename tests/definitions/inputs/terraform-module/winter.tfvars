season = "winter"
