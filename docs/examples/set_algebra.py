# Sets of execution trees as values: the paper's example, Section 2.
import lockwood

model = lockwood.load("models/fig1.dpn")
everything = model.init.post(nolocks=True)
reachable = model.init.post()
print(everything.count(), "trees, of which", reachable.count(), "have a schedule that respects the locks")

forbidden = everything - reachable
assert forbidden <= model.threads(2) & model.holding("x")
print("the smallest of the others:", forbidden.witness().tree)

# Can the 42 be printed, if P has already set v to 0?
late = (reachable & model.stand({"p3", "p4"}, {"s2"})).post(avoiding={"v0"})
printed = late & model.stand({"r1"})
print(printed.explain()[0])
print(printed.witness().schedule)

# An automaton is a list of transitions.
automaton = (reachable & model.stand({"s2"})).automaton()
print(automaton.states, "states,", len(automaton.transitions), "transitions, such as", automaton.transitions[0])
