# The races of a program, with the threads that race.
import lockwood

program = lockwood.load("models/bank-racy.lw")
for race in program.races():
    print(race.message)
    for site in race.sites:
        print(f"  {site['thread']}: {site['role']} in line {site['line']}, holding {site['holds']}")
print(len(lockwood.load("models/bank-fixed.lw").races()), "races in the other program")
