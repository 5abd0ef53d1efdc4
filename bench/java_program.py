#!/usr/bin/env python3
"""A Java program of about so many lines: services with locks, collections, visitors, factories, tasks and exceptions.

    java_program.py LINES FOLDER

Writes App.java and one file for each package of ten services. All choices are made by the numbers of the services, so the
same LINES give the same program.
"""

import os
import sys

SERVICE = """  public static class S{n} extends {base} implements Task {{
    private final Object lock = new Object();
    private final List<Item> items = new ArrayList<>();
    private final Map<String, Item> index = new HashMap<>();
    private S{peer} peer;
    private int count;
    private Item last;

    public S{n}(Registry registry) {{
      super(registry);
      registry.register("service{n}", this);
    }}

    public static S{n} create(Registry registry) {{
      S{n} service = new S{n}(registry);
      service.peer = {peer_value};
      return service;
    }}

    public void add(String key, int value) {{
      Item item = new Item(key, value);
      item.owner = this;
      synchronized (lock) {{
        items.add(item);
        index.put(key, item);
        count++;
      }}
      last = item;
    }}

    public Item find(String key) {{
      synchronized (lock) {{
        Item item = index.get(key);
        if (item == null) throw new Missing(key);
        return item;
      }}
    }}

    @Override
    public int visit(Visitor visitor) {{
      int sum = 0;
      for (Item item : items) sum += visitor.item(item);
      if (peer != null && sum > {n}) sum += peer.size();
      return sum;
    }}

    public synchronized int size() {{
      return count;
    }}

    @Override
    public void run() {{
      int[] buffer = new int[8];
      for (int i = 0; i < buffer.length; i++) {{
        buffer[i] = i * {n};
        add("key" + i, buffer[i]);
      }}
      try {{
        Item item = find("key1");
        item.value += buffer[0] / (1 + count);
      }} catch (Missing e) {{
        last = null;
      }}
    }}
  }}
"""

COMMON = """package app;

import java.util.*;

public class Base {
  public interface Task extends Runnable { int visit(Visitor visitor); }
  public interface Visitor { int item(Item item); }
  public static class Item {
    public final String key; public int value; public Object owner;
    public Item(String key, int value) { this.key = key; this.value = value; }
  }
  public static class Missing extends RuntimeException {
    public final String key;
    public Missing(String key) { this.key = key; }
  }
  public static class Registry {
    private final Map<String, Task> tasks = new HashMap<>();
    public synchronized void register(String name, Task task) { tasks.put(name, task); }
    public synchronized Task get(String name) { return tasks.get(name); }
  }
  public static class Service {
    protected final Registry registry;
    public Service(Registry registry) { this.registry = registry; }
  }
}
"""


def main():
    lines, folder = int(sys.argv[1]), sys.argv[2]
    per_service = SERVICE.count("\n") + 7
    services = max(1, lines // per_service)
    os.makedirs(os.path.join(folder, "app"), exist_ok=True)

    def write(name, text):
        with open(os.path.join(folder, "app", name + ".java"), "w", encoding="utf-8") as file:
            file.write(text)

    imports = "package app;\n\nimport app.Base.*;\nimport java.util.*;\n"
    write("Base", COMMON)
    groups = (services + 9) // 10
    for group in range(groups):
        text = imports + f"\npublic class G{group} {{\n"
        first = group * 10
        members = range(first, min(first + 10, services))
        for n in members:
            base = "Service" if n % 10 < 5 else f"S{n - 5}"
            peer = n - 1 if n % 10 > 0 else n
            text += SERVICE.format(n=n, base=base, peer=peer,
                                   peer_value=f"S{peer}.create(registry)" if n % 10 in (1, 2) else "null")
        text += "  public static void start(Registry registry) {\n"
        for n in members:
            text += f"    S{n} s{n} = S{n}.create(registry);\n"
            if n % 3 == 0:
                text += f"    new Thread(s{n}).start();\n"
            elif n % 3 == 1:
                text += f"    new Thread(() -> s{n}.run()).start();\n"
            else:
                text += f"    s{n}.run();\n"
            text += f"    Task t{n} = registry.get(\"service{n}\");\n"
            text += f"    if (t{n} != null) t{n}.visit(item -> item.value + {n});\n"
        write(f"G{group}", text + "  }\n}\n")
    text = imports + "\npublic class App {\n  public static void main(String[] arguments) {\n    Registry registry = new Registry();\n"
    for group in range(groups):
        text += f"    G{group}.start(registry);\n"
    write("App", text + "  }\n}\n")


main()
