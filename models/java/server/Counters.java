package server;

import java.util.HashMap;
import java.util.Map;

/** How often each word was seen. */
class Counters {
  private final Map<String, Integer> seen = new HashMap<>();

  synchronized int count(String word) {
    int times = seen.getOrDefault(word, 0) + 1;
    seen.put(word, times);
    return times;
  }
}
