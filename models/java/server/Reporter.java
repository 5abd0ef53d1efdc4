package server;

/** Prints what the server has done, once a minute. */
class Reporter implements Runnable {
  private final Statistics statistics;

  Reporter(Statistics statistics) {
    this.statistics = statistics;
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(60_000);
        System.out.println(statistics.summary());
      }
    } catch (InterruptedException e) {
      System.out.println("reporter stopped");
    }
  }
}
