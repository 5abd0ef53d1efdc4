% Is there an execution that first stands as step 1 asks, and then as step 2 asks? The paper's product for one iteration
% (Prop. 8) as one tabled predicate, T_M from the root down and the others from the leaves up:
%   T_M (Def. 4) with cut nodes, T_cwf (Def. 7), the inverse image under T_ct (Def. 8) of T_ah and the observer of step 1,
%   T_ah (Def. 6), T^c_D (Def. 9), T_rh (Def. 10), T_ht (Def. 11) and the observer of step 2.
% T_ht is corrected, and threads may end: see docs/theory.md, Sect. 3.
%
% Needs lock_graph.pl, subsumption.pl and the facts that facts.py writes.

% nonempty(+Top, +Control, +Held, -End, -Ended, -State), where State is
% s(Cut, Ah, CutAh, Uses, Released, Acquired, Undecided, After, CutObserved, Observed, Marks, Fired):
%   Cut          T_cwf: either (no cut in sight), inside (the own thread has its cut here), before or after (it lies so)
%   Ah           T_ah of the whole tree
%   CutAh        T_ah of the tree at the cut; of a tree without a cut it is Ah, and forgotten if it lies after the cut
%   Uses         T_rh: locks that the own thread uses, after the cut if it is inside
%   Released     T_rh: the release graph
%   Acquired     T_ht: locks finally acquired before the cut
%   Undecided    T_ht: locks used where the cut is not yet known
%   After        T_ht: locks used after the cut
%   CutObserved  which goals of step 1 are met in the tree at the cut
%   Observed     which goals of step 2 are met
%   Marks        of the rules used where the cut is not yet known: 1, 2 avoided and 4, 8 required in step 1, 2
%   Fired        marks 4 and 8 of rules that were used in their step
% Of states with the same conflict potential, one with a more restrictive history is dropped (Sect. 3.2.2, answer
% subsumption).
:- table nonempty/6.

nonempty(Top, Control, Held, End, Ended, State) :-
    node(Top, Control, Held, End, Ended, State),
    parts(State, Potential, History),
    is_new(Top, state(Control, Held, End, Ended, Potential), History).

parts(s(Cut, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, Marks, Fired),
      potential(Cut, O1, O2, Marks, Fired), history(Ah, CutAh, Uses, Released, Acquired, Undecided, After)).

below(history(Ah1, CutAh1, Uses1, Released1, Acquired1, Undecided1, After1),
      history(Ah2, CutAh2, Uses2, Released2, Acquired2, Undecided2, After2)) :-
    ah_below(Ah1, Ah2),
    ah_below(CutAh1, CutAh2),
    Uses1 \/ Uses2 =:= Uses2,
    Released1 \/ Released2 =:= Released2,
    Acquired1 \/ Acquired2 =:= Acquired2,
    Undecided1 \/ Undecided2 =:= Undecided2,
    After1 \/ After2 =:= After2.

ah_below(ah(A1, U1, G1), ah(A2, U2, G2)) :-
    A1 \/ A2 =:= A2,
    U1 \/ U2 =:= U2,
    G1 \/ G2 =:= G2.

% node(+Top, +Control, +Held, -End, -Ended, -State): by the node at the root.
% NIL
node(Top, Control, _, Control, standing, State) :-
    observed(1, Top, Observed1),
    observed(2, Top, Observed2),
    State = s(either, ah(0, 0, 0), ah(0, 0, 0), 0, 0, 0, 0, 0, Observed1, Observed2, 0, 0).
% CUT
node(Top, Control, Held, End, Ended, State) :-
    nonempty(Top, Control, Held, End, Ended, State1),
    cut(Top, State1, State).
% RET
node(Top, Control, _, Control1, returned, State) :-
    return(Top, Control, Marks, Control1),
    State = s(either, ah(0, 0, 0), ah(0, 0, 0), 0, 0, 0, 0, 0, 0, 0, Marks, 0).
% BASE
node(Top, Control, Held, End, Ended, State) :-
    base(Top, Control, Marks, Control1, Top1),
    nonempty(Top1, Control1, Held, End, Ended, State1),
    marked(Marks, State1, State).
% SPAWN
node(Top, Control, Held, End, Ended, State) :-
    spawn(Top, Control, Marks, Control1, Top1, ChildControl, ChildTop),
    nonempty(ChildTop, ChildControl, 0, _, ChildEnded, Child),
    nonempty(Top1, Control1, Held, End, Ended, Parent),
    spawned(ChildEnded, Child, Ended, Parent, State1),
    marked(Marks, State1, State).
% NCALL, RCALL, ACQ, USE
node(Top, Control, Held, End, Ended, State) :-
    enter(Top, Control, Marks, Control1, Top1, ReturnTop, Monitor),
    held_inside(Monitor, Held, Held1, Lock),
    nonempty(Top1, Control1, Held1, End1, Ended1, Body),
    continued(Ended1, Lock, End1, ReturnTop, Held, Body, End, Ended, State1),
    marked(Marks, State1, State).

continued(standing, Lock, End, _, _, Body, End, standing, State) :-
    entered(Lock, Body, State).
continued(returned, Lock, End1, ReturnTop, Held, Body, End, Ended, State) :-
    nonempty(ReturnTop, End1, Held, End, Ended, Rest),
    completed(Lock, Body, Rest, State).

held_inside(none, Held, Held, none).
held_inside(lock(X), Held, Held1, Lock) :-
    Held1 is Held \/ (1 << X),
    ( Held1 =:= Held -> Lock = none ; Lock = lock(X) ).

observed(Step, Top, Observed) :-
    ( stands(Step, Top, _) -> stands(Step, Top, Observed) ; Observed = 0 ).

% --- T_cwf ------------------------------------------------------------------------------------------------------------

% A body and what follows its return.
in_sequence(either, Rest, Rest).
in_sequence(inside, Rest, inside) :- after_or_either(Rest).
in_sequence(before, either, before).
in_sequence(before, before, before).
in_sequence(before, inside, inside).
in_sequence(after, Rest, after) :- after_or_either(Rest).

after_or_either(either).
after_or_either(after).

% with_thread(+ChildEnded, +Child, +Parent, -Cut): a thread spawned before the cut has a cut or has ended.
with_thread(ChildEnded, Child, Parent, Cut) :-
    ( may_start_before(Child, ChildEnded) -> Before = true ; Before = false ),
    ( after_or_either(Child) -> After = true ; After = false ),
    with_thread_(Parent, Before, After, Cut).

with_thread_(either, true, true, either).
with_thread_(either, true, false, before).
with_thread_(either, false, true, after).
with_thread_(before, true, _, before).
with_thread_(inside, true, _, inside).
with_thread_(after, _, true, after).

may_start_before(inside, _).
may_start_before(either, returned).
may_start_before(before, returned).

% --- nodes ------------------------------------------------------------------------------------------------------------

% What lay undecided lies after the cut.
after_cut(s(C, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, Marks, Fired),
          s(C, Ah, CutAh, Uses, Released, Acquired, 0, After1, O1, O2, 0, Fired1)) :-
    Marks /\ 2 =:= 0,
    After1 is After \/ Undecided,
    Acquired /\ After1 =:= 0,
    Fired1 is Fired \/ (Marks /\ 8).

% What lay undecided lies before the cut.
before_cut(s(C, Ah, CutAh, Uses, Released, Acquired, _, After, O1, O2, Marks, Fired),
           s(C, Ah, CutAh, Uses, Released, Acquired, 0, After, O1, O2, 0, Fired1)) :-
    Marks /\ 1 =:= 0,
    Fired1 is Fired \/ (Marks /\ 4).

cut(Top, State, s(inside, Ah, ah(0, 0, 0), Uses, Released, Acquired, 0, After, O1, O2, 0, Fired)) :-
    arg(1, State, Cut),
    after_or_either(Cut),
    after_cut(State, s(_, Ah, _, Uses, Released, Acquired, _, After, _, O2, _, Fired)),
    observed(1, Top, O1).

% A rule with these marks at the root: it lies before a cut that is inside.
marked(Marks, s(inside, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, 0, Fired),
       s(inside, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, 0, Fired1)) :-
    !,
    Marks /\ 1 =:= 0,
    Fired1 is Fired \/ (Marks /\ 4).
marked(Marks, s(C, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, Marks0, Fired),
       s(C, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, Marks1, Fired)) :-
    Marks1 is Marks0 \/ Marks,
    Marks1 /\ 3 =\= 3.  % neither before the cut nor after it

entered(none, State, State).
entered(lock(X), s(Cut, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, Marks, Fired),
        s(Cut, Ah1, CutAh1, Uses, Released, Acquired1, Undecided1, After, O1, O2, Marks, Fired)) :-
    ah_acquire(lock(X), Ah, Ah1),
    ah_acquire(lock(X), CutAh, CutAh1),
    (   Cut == inside
    ->  Acquired1 is Acquired \/ (1 << X),
        Undecided1 = Undecided,
        Acquired1 /\ After =:= 0
    ;   Acquired1 = Acquired,
        Undecided1 is Undecided \/ (1 << X)
    ).

completed(Lock, Body, Rest, State) :-
    arg(1, Body, Cut1),
    arg(1, Rest, Cut2),
    in_sequence(Cut1, Cut2, Cut),
    completed(Cut1, Cut2, Cut, Lock, Body, Rest, State).

% The cut is in the body: T_ct makes the node non-returning and drops what follows.
completed(inside, _, Cut, Lock, Body, Rest0, State) :-
    !,
    after_cut(Rest0, Rest),
    Body = s(_, Ah1, CutAh1, Uses1, Released1, Acquired1, _, After1, O11, O21, _, Fired1),
    Rest = s(_, Ah2, _, Uses2, Released2, Acquired2, _, After2, _, O22, _, Fired2),
    State = s(Cut, Ah, CutAh, Uses, Released, Acquired, 0, After, O11, O2, 0, Fired),
    ah_join(Ah1, Ah2, Ah3),
    ah_use(Lock, Ah3, Ah),
    ah_acquire(Lock, CutAh1, CutAh),
    Uses is Uses1 \/ Uses2,
    ( Lock = lock(X) -> Uses1 /\ (1 << X) =:= 0, edges_to(Uses1, X, Edges) ; Edges = 0 ),
    united(Released1, Released2, Released3),
    united(Released3, Edges, Released),
    Acquired is Acquired1 \/ Acquired2,
    After is After1 \/ After2,
    Acquired /\ After =:= 0,
    O2 is O21 \/ O22,
    Fired is Fired1 \/ Fired2.
% The cut is in what follows: the own uses of the body lie before it.
completed(_, inside, Cut, Lock, Body0, Rest, State) :-
    !,
    before_cut(Body0, Body),
    Body = s(_, Ah1, CutAh1, _, Released1, Acquired1, _, After1, O11, O21, _, Fired1),
    Rest = s(_, Ah2, CutAh2, Uses, Released2, Acquired2, _, After2, O12, O22, _, Fired2),
    State = s(Cut, Ah, CutAh, Uses, Released, Acquired, 0, After, O1, O2, 0, Fired),
    ah_join(Ah1, Ah2, Ah3),
    ah_use(Lock, Ah3, Ah),
    ah_join(CutAh1, CutAh2, CutAh3),
    ah_use(Lock, CutAh3, CutAh),
    united(Released1, Released2, Released),
    Acquired is Acquired1 \/ Acquired2,
    After is After1 \/ After2,
    Acquired /\ After =:= 0,
    O1 is O11 \/ O12,
    O2 is O21 \/ O22,
    Fired is Fired1 \/ Fired2.
completed(_, _, Cut, Lock, Body, Rest, State) :-
    Body = s(_, Ah1, CutAh1, Uses1, Released1, Acquired1, Undecided1, After1, O11, O21, Marks1, Fired1),
    Rest = s(_, Ah2, CutAh2, Uses2, Released2, Acquired2, Undecided2, After2, O12, O22, Marks2, Fired2),
    State = s(Cut, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, Marks, Fired),
    ah_join(Ah1, Ah2, Ah3),
    ah_use(Lock, Ah3, Ah),
    ah_join(CutAh1, CutAh2, CutAh3),
    ah_use(Lock, CutAh3, CutAh),
    lock_bit(Lock, Bit),
    Uses is Uses1 \/ Uses2 \/ Bit,
    united(Released1, Released2, Released),
    Acquired is Acquired1 \/ Acquired2,
    Undecided is Undecided1 \/ Undecided2 \/ Bit,
    After is After1 \/ After2,
    Acquired /\ After =:= 0,
    O1 is O11 \/ O12,
    O2 is O21 \/ O22,
    Marks is Marks1 \/ Marks2,
    Marks /\ 3 =\= 3,
    Fired is Fired1 \/ Fired2.

lock_bit(none, 0).
lock_bit(lock(X), Bit) :- Bit is 1 << X.

spawned(ChildEnded, Child0, Ended, Parent, State) :-
    arg(1, Child0, Cut1),
    arg(1, Parent, Cut2),
    with_thread(ChildEnded, Cut1, Cut2, Cut),
    \+ ( Cut == before, Ended == standing ),  % a thread that stands has its cut before
    ( Cut2 == inside -> before_cut(Child0, Child) ; Child = Child0 ),
    Child = s(_, Ah1, CutAh1, _, Released1, Acquired1, Undecided1, After1, O11, O21, Marks1, Fired1),
    Parent = s(_, Ah2, CutAh2, Uses, Released2, Acquired2, Undecided2, After2, O12, O22, Marks2, Fired2),
    State = s(Cut, Ah, CutAh, Uses, Released, Acquired, Undecided, After, O1, O2, Marks, Fired),
    ah_join(Ah1, Ah2, Ah),
    ah_join(CutAh1, CutAh2, CutAh),
    united(Released1, Released2, Released),
    Acquired is Acquired1 \/ Acquired2,
    Undecided is Undecided1 \/ Undecided2,
    After is After1 \/ After2,
    Acquired /\ After =:= 0,
    O1 is O11 \/ O12,
    O2 is O21 \/ O22,
    Marks is Marks1 \/ Marks2,
    Marks /\ 3 =\= 3,
    Fired is Fired1 \/ Fired2.

% --- the question -----------------------------------------------------------------------------------------------------

accepting(Ended, State0) :-
    arg(1, State0, Cut),
    may_start_before(Cut, Ended),
    before_cut(State0, s(_, _, _, _, _, _, _, _, O1, O2, _, Fired)),
    goal(1, Goal1),
    goal(2, Goal2),
    required(Required),
    O1 /\ Goal1 =:= Goal1,
    O2 /\ Goal2 =:= Goal2,
    Fired /\ Required =:= Required.

answer :-
    initial(Top, Control),
    (   nonempty(Top, Control, 0, _, Ended, State),
        accepting(Ended, State)
    ->  writeln(reachable)
    ;   writeln(unreachable)
    ).
