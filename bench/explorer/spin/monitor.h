/* A monitor with wait and notifyAll: who waits has its bit in `waiting`. */
#define ENTER atomic { m == 0 -> m = 1 }
#define LEAVE m = 0
#define WAIT(i) atomic { waiting = waiting | (1 << i); m = 0 }; atomic { !(waiting & (1 << i)) && m == 0 -> m = 1 }
#define NOTIFY_ALL waiting = 0
