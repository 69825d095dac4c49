print("crosspoint")
