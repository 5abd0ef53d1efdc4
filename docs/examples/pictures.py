# Trees, schedules and automata show themselves in a notebook; here, what they would show.
import lockwood

model = lockwood.load("models/fig1.dpn")
found = (model.init.post() & model.stand({"r1"})).witness()
for name, shown in [("tree", found.tree), ("schedule", found.schedule), ("automaton", model.init.post().automaton())]:
    print(name, "is an SVG picture:", shown._repr_svg_().startswith("<svg"))
