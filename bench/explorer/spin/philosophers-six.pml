#define N 6
byte fork[N];
proctype p(byte first; byte second) {
  byte k;
  do
  :: atomic { k < 3 && fork[first] == 0 -> fork[first] = 1 };
     atomic { fork[second] == 0 -> fork[second] = 1 };
     fork[second] = 0;
     atomic { fork[first] = 0; k++ }
  :: k == 3 -> break
  od
}
init { run p(0, 1); run p(1, 2); run p(2, 3); run p(3, 4); run p(4, 5); run p(5, 0) }
