print("chemopen")
