# Questions about a model, and how the answers come about.
import lockwood

model = lockwood.load("models/fig1.dpn")
print(model)

race = model.conflict({"p2"}, {"s1"})
print(race.query, race.verdict)
print(race.schedule)
for thread in race.schedule.threads:
    print(thread["thread"], "is at", thread["stack"][0], "and holds", thread["holds"])

print(model.conflict({"r1"}, {"s1"}).verdict, "with locks")
print(model.conflict({"r1"}, {"s1"}, nolocks=True).verdict, "without locks")
print(model.iterate({"s2"}, ({"r1"}, {"v0"})).verdict)
print(len(model.mhp()), "pairs of places that two threads can be at")

for deadlock in lockwood.load("models/philosophers-3.dpn").deadlocks():
    print("a cycle of", deadlock.locks, "after", len(deadlock.schedule), "steps")
