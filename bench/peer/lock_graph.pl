% Sets of locks and graphs of locks as integers: lock x is bit x, the edge x -> y is bit N * x + y for N locks.

:- table acyclic/1.  % few different graphs occur, again and again

% A finite graph is acyclic iff taking away edges into locks that no edge leaves, again and again, leaves nothing.
acyclic(0) :- !.
acyclic(Graph) :-
    lock_count(N),
    kept_edges(0, N, Graph, 0, Kept),
    Kept =\= Graph,
    acyclic(Kept).

% The edges into locks that some edge leaves.
kept_edges(N, N, _, Kept, Kept) :- !.
kept_edges(X, N, Graph, Kept0, Kept) :-
    targets_of(X, N, Graph, Targets),
    targets_with_edges(0, N, Graph, Targets, 0, Left),
    Kept1 is Kept0 \/ (Left << (N * X)),
    X1 is X + 1,
    kept_edges(X1, N, Graph, Kept1, Kept).

targets_of(X, N, Graph, Targets) :- Targets is (Graph >> (N * X)) /\ ((1 << N) - 1).

targets_with_edges(N, N, _, _, Left, Left) :- !.
targets_with_edges(Y, N, Graph, Targets, Left0, Left) :-
    (   Targets /\ (1 << Y) =\= 0,
        targets_of(Y, N, Graph, Next),
        Next =\= 0
    ->  Left1 is Left0 \/ (1 << Y)
    ;   Left1 = Left0
    ),
    Y1 is Y + 1,
    targets_with_edges(Y1, N, Graph, Targets, Left1, Left).

% edges_from(+X, +Locks, -Graph): {X} x Locks.
edges_from(X, Locks, Graph) :- lock_count(N), Graph is Locks << (N * X).

% edges_to(+Locks, +X, -Graph): Locks x {X}.
edges_to(Locks, X, Graph) :- lock_count(N), edges_to(0, N, Locks, X, 0, Graph).

edges_to(N, N, _, _, Graph, Graph) :- !.
edges_to(Y, N, Locks, X, Graph0, Graph) :-
    (   Locks /\ (1 << Y) =\= 0
    ->  Graph1 is Graph0 \/ (1 << (N * Y + X))
    ;   Graph1 = Graph0
    ),
    Y1 is Y + 1,
    edges_to(Y1, N, Locks, X, Graph1, Graph).

% The union of two acyclic graphs, if it is acyclic too.
united(Graph, Graph, Graph) :- !.
united(0, Graph, Graph) :- !.
united(Graph, 0, Graph) :- !.
united(Graph1, Graph2, Graph) :- Graph is Graph1 \/ Graph2, acyclic(Graph).

% T_ah of the paper's Def. 6, states (A, U, G). A state that no tree can make acceptable is dropped at once.
ah_join(ah(A1, U1, G1), ah(A2, U2, G2), ah(A, U, G)) :-
    A1 /\ A2 =:= 0,
    A is A1 \/ A2,
    U is U1 \/ U2,
    united(G1, G2, G).

ah_use(none, State, State).
ah_use(lock(X), ah(A, U, G), ah(A, U1, G)) :- U1 is U \/ (1 << X).

ah_acquire(none, State, State).
ah_acquire(lock(X), ah(A, U, G), ah(A1, U1, G1)) :-
    A /\ (1 << X) =:= 0,
    A1 is A \/ (1 << X),
    U1 is U \/ (1 << X),
    edges_from(X, U, Edges),
    U /\ (1 << X) =:= 0,  % an edge x -> x is a cycle
    united(G, Edges, G1).
