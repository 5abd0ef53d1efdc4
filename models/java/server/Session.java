package server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Socket;

/** The conversation with one client. */
class Session implements Runnable {
  private final Socket client;
  private final Counters counters;
  private final Statistics statistics;

  Session(Socket client, Counters counters, Statistics statistics) {
    this.client = client;
    this.counters = counters;
    this.statistics = statistics;
  }

  @Override
  public void run() {
    try (Socket open = client) {
      BufferedReader in = new BufferedReader(new InputStreamReader(open.getInputStream()));
      PrintStream out = new PrintStream(open.getOutputStream());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.println(counters.count(line));
        statistics.answered();
      }
    } catch (IOException e) {
      statistics.failed();
    }
  }
}
