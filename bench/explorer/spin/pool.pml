byte jobs = 11, result, queue, results;
proctype worker() {
  byte job = 1, sum;
  do
  :: atomic { job > 0 && queue == 0 -> queue = 1 };
     job = jobs;
     if
     :: job > 0 -> jobs = job - 1; queue = 0;
        atomic { results == 0 -> results = 1 };
        sum = result;
        atomic { result = sum + job; sum = 0 };
        results = 0
     :: else -> queue = 0
     fi
  :: job == 0 -> break
  od
}
init { run worker(); run worker(); run worker() }
