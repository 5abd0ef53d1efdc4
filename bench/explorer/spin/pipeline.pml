#include "monitor.h"
byte slot0, slot1, slot2, finished, m, waiting;
#define STAGE(i, from, to) \
  do \
  :: atomic { k < 30 && m == 0 -> k++; m = 1 }; \
     do \
     :: v = from; \
        if \
        :: v == 0 -> WAIT(i) \
        :: else -> v = to; \
           if \
           :: v != 0 -> atomic { v = 0; WAIT(i) } \
           :: else -> break \
           fi \
        fi \
     od; \
     v = from; from = 0; atomic { to = v; v = 0 }; NOTIFY_ALL; LEAVE \
  :: k == 30 -> break \
  od
proctype s0() { byte k, v; STAGE(0, slot0, slot1) }
proctype s1() { byte k, v; STAGE(1, slot1, slot2) }
proctype s2() {
  byte k, v;
  do
  :: atomic { k < 30 && m == 0 -> k++; m = 1 };
     do
     :: v = slot2;
        if
        :: v == 0 -> WAIT(2)
        :: else -> break
        fi
     od;
     v = slot2; slot2 = 0; atomic { finished = v; v = 0 }; NOTIFY_ALL; LEAVE
  :: k == 30 -> break
  od
}
init {
  byte k, v;
  run s0(); run s1(); run s2();
  do
  :: atomic { k < 30 && m == 0 -> k++; m = 1 };
     do
     :: v = slot0;
        if
        :: v != 0 -> atomic { v = 0; WAIT(3) }
        :: else -> break
        fi
     od;
     slot0 = k; NOTIFY_ALL; LEAVE
  :: k == 30 -> break
  od
}
