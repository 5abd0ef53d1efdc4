package server;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** Answers each line that a client sends with the number of times that it was sent. */
public class Server {
  public static void main(String[] arguments) throws IOException {
    Counters counters = new Counters();
    Statistics statistics = new Statistics();
    new Thread(new Reporter(statistics), "reporter").start();
    try (ServerSocket socket = new ServerSocket(8080)) {
      while (true) {
        Socket client = socket.accept();
        new Thread(new Session(client, counters, statistics)).start();
      }
    }
  }
}
