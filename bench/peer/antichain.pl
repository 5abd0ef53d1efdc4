% Sets of histories of which none is below another, as lists. SWI-Prolog keeps one answer for each value of the other
% arguments, so the answer is the whole set, where XSB has an order on answers.

% minimal(+Old, +New, -Both)
minimal(Old, New, Both) :- foldl(added, New, Old, Both).

added(History, Histories, Histories) :-
    member(Other, Histories),
    below(Other, History),
    !.
added(History, Histories, [History | Kept]) :- exclude(below(History), Histories, Kept).
