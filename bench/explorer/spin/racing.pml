byte x, y;
proctype t() {
  byte a, k;
  do
  :: atomic { k < 3 -> a = x };
     atomic { x = a + 1; a = 0 };
     a = x;
     atomic { y = a; a = 0; k++ }
  :: k == 3 -> break
  od
}
init { run t(); run t(); run t() }
