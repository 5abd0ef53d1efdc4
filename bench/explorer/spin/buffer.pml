#include "monitor.h"
byte count, m, waiting;
proctype put(byte i) {
  byte k, c;
  do
  :: atomic { k < 3 && m == 0 -> m = 1 };
     do
     :: c = count;
        if
        :: c == 2 -> WAIT(i)
        :: else -> break
        fi
     od;
     c = count;
     atomic { count = c + 1; c = 0 };
     NOTIFY_ALL;
     atomic { LEAVE; k++ }
  :: k == 3 -> break
  od
}
proctype take(byte i) {
  byte k, c;
  do
  :: atomic { k < 2 && m == 0 -> m = 1 };
     do
     :: c = count;
        if
        :: c == 0 -> WAIT(i)
        :: else -> break
        fi
     od;
     c = count;
     atomic { count = c - 1; c = 0 };
     NOTIFY_ALL;
     atomic { LEAVE; k++ }
  :: k == 2 -> break
  od
}
init { run put(0); run put(1); run take(2); run take(3); run take(4) }
