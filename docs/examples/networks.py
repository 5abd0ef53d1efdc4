# A network made of rules, and a set made of transitions.
import lockwood
from lockwood import Rule

fig1 = lockwood.load("models/fig1.dpn")
for rule in fig1.rules[:3]:
    print(rule.kind, rule.start, rule.action, rule.to, rule.lock)

# Main starts threads for ever, each of which takes the lock x and gives it back.
rules = [Rule("spawn", ("p", "main"), "start", ("p", "main"), spawned=("p", "worker")),
         Rule("monitor", ("p", "worker"), "enter", ("p", "inside"), lock="x", return_to="end"),
         Rule("return", ("p", "inside"), "leave", ("p",))]
model = lockwood.build(("p", "main"), rules, "workers")
print(model)
print("two are inside:", model.conflict("inside", "inside").verdict)
print("two have ended:", model.conflict("end", "end").verdict)

# The trees in which main has started nobody, or one thread that has not moved.
few = model.accepted([("NIL.main", (), "main"), ("NIL.worker", (), "worker"),
                      ("SPAWN.main.start", ("worker", "main"), "one")], final=["main", "one"])
print(few.size(), "trees of", few.states(), "states:", few <= model.init.post())
