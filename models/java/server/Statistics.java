package server;

/** What the server has done so far. */
class Statistics {
  private long answers;
  private long failures;

  synchronized void answered() {
    answers++;
  }

  synchronized void failed() {
    failures++;
  }

  String summary() {
    return answers + " answers, " + failures + " failures";
  }
}
