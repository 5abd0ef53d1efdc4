% Is there a schedulable execution tree whose threads stand as the query asks? The paper's product of the automata T_M
% (Def. 4), T_D (Def. 5), T_ah (Def. 6) and T_rw (Example 1) as one tabled predicate for the states that some tree is
% recognised with (Sect. 3.2.2): T_M is explored from the root down, the others from the leaves up.
%
% Needs lock_graph.pl, subsumption.pl and the facts that facts.py writes.

% nonempty(+Top, +Control, +Held, -End, -Ended, -History, -Observed): some tree is recognised with this state. Of states
% with the same conflict potential, one with a more restrictive history is dropped (Sect. 3.2.2, answer subsumption).
:- table nonempty/7.

nonempty(Top, Control, Held, End, Ended, History, Observed) :-
    node(Top, Control, Held, End, Ended, History, Observed),
    is_new(Top, state(Control, Held, End, Ended, Observed), History).

below(ah(A1, U1, G1), ah(A2, U2, G2)) :-
    A1 \/ A2 =:= A2,
    U1 \/ U2 =:= U2,
    G1 \/ G2 =:= G2.


% node(+Top, +Control, +Held, -End, -Ended, -History, -Observed): by the node at the root.
% NIL
node(Top, Control, _, Control, standing, ah(0, 0, 0), Observed) :-
    observed(1, Top, Observed).
% RET
node(Top, Control, _, Control1, returned, ah(0, 0, 0), Observed) :-
    return(Top, Control, Marks, Control1),
    fired(Marks, 0, Observed).
% BASE
node(Top, Control, Held, End, Ended, History, Observed) :-
    base(Top, Control, Marks, Control1, Top1),
    nonempty(Top1, Control1, Held, End, Ended, History, Observed1),
    fired(Marks, Observed1, Observed).
% SPAWN
node(Top, Control, Held, End, Ended, History, Observed) :-
    spawn(Top, Control, Marks, Control1, Top1, ChildControl, ChildTop),
    nonempty(ChildTop, ChildControl, 0, _, _, History1, Observed1),
    nonempty(Top1, Control1, Held, End, Ended, History2, Observed2),
    ah_join(History1, History2, History),
    Observed3 is Observed1 \/ Observed2,
    fired(Marks, Observed3, Observed).
% NCALL, RCALL, ACQ, USE
node(Top, Control, Held, End, Ended, History, Observed) :-
    enter(Top, Control, Marks, Control1, Top1, ReturnTop, Monitor),
    held_inside(Monitor, Held, Held1, Lock),
    nonempty(Top1, Control1, Held1, End1, Ended1, History1, Observed1),
    continued(Ended1, Lock, End1, ReturnTop, Held, History1, Observed1, End, Ended, History, Observed2),
    fired(Marks, Observed2, Observed).

continued(standing, Lock, End, _, _, History1, Observed, End, standing, History, Observed) :-
    ah_acquire(Lock, History1, History).
continued(returned, Lock, End1, ReturnTop, Held, History1, Observed1, End, Ended, History, Observed) :-
    nonempty(ReturnTop, End1, Held, End, Ended, History2, Observed2),
    ah_join(History1, History2, History3),
    ah_use(Lock, History3, History),
    Observed is Observed1 \/ Observed2.

% Which locks are held in the body, and which lock is taken there: none if it is a call or a reentrant monitor.
held_inside(none, Held, Held, none).
held_inside(lock(X), Held, Held1, Lock) :-
    Held1 is Held \/ (1 << X),
    ( Held1 =:= Held -> Lock = none ; Lock = lock(X) ).

observed(Step, Top, Observed) :-
    ( stands(Step, Top, _) -> stands(Step, Top, Observed) ; Observed = 0 ).

% A rule that the step avoids is not used; one that it requires is noted.
fired(Marks, Observed0, Observed) :-
    Marks /\ 1 =:= 0,
    ( Marks /\ 4 =:= 0 -> Observed = Observed0 ; required_bit(1, Bit), Observed is Observed0 \/ Bit ).

answer :-
    initial(Top, Control),
    goal(1, Goal),
    (   nonempty(Top, Control, 0, _, _, _, Observed),
        Observed /\ Goal =:= Goal
    ->  writeln(reachable)
    ;   writeln(unreachable)
    ).
