print("broadsheet")
