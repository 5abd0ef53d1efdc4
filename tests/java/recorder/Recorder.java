import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * Runs a program under the debugger interface of the JVM and writes what it saw, one JSON object a line: calls between methods of
 * the program, starts of threads, accesses to fields with the object and whether another thread had it before, monitors,
 * exceptions, how often methods were entered and objects made. Each line once, whatever the number of runs. Threads are held
 * up at random, so that runs differ.
 *
 * Usage: java Recorder CLASSPATH MAIN OUTPUT RUNS SEED MILLISECONDS
 */
public final class Recorder {
    private static final String[] LIBRARY = {"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*"};
    private static final int MOST_EVENTS = 20000;

    private final VirtualMachine machine;
    private final Random random;
    private final Set<String> lines;
    private final Map<Long, String> sites = new HashMap<>();          // of objects: where they were made
    private final Map<Long, String> starts = new HashMap<>();         // of threads
    private final Map<Long, Set<Long>> users = new HashMap<>();       // of objects: threads that accessed them
    private final Map<String, Integer> made = new TreeMap<>();        // by site
    private final Map<String, Integer> entered = new TreeMap<>();     // by method
    private int events = 0;

    private Recorder(VirtualMachine machine, Random random, Set<String> lines) {
        this.machine = machine;
        this.random = random;
        this.lines = lines;
    }

    public static void main(String[] args) throws Exception {
        Set<String> lines = new LinkedHashSet<>();
        int runs = Integer.parseInt(args[3]);
        for (int run = 0; run < runs; run++) record(args[0], args[1], Long.parseLong(args[4]) + run, Long.parseLong(args[5]), lines);
        try (Writer out = new OutputStreamWriter(new FileOutputStream(args[2]), StandardCharsets.UTF_8)) {
            for (String line : lines) out.write(line + "\n");
        }
    }

    private static void record(String classPath, String main, long seed, long millis, Set<String> lines) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(main);
        arguments.get("options").setValue("-cp \"" + classPath + "\" -Xint -Xshare:auto -XX:TieredStopAtLevel=1");
        VirtualMachine machine = connector.launch(arguments);
        drain(machine.process().getInputStream());
        drain(machine.process().getErrorStream());
        try {
            new Recorder(machine, new Random(seed), lines).run(System.currentTimeMillis() + millis);
        } catch (VMDisconnectedException ended) {
            // The program is over.
        } finally {
            machine.process().destroyForcibly();
        }
    }

    private static void drain(InputStream stream) {
        Thread reader = new Thread(() -> {
            byte[] buffer = new byte[4096];
            try {
                while (stream.read(buffer) >= 0) { }
            } catch (IOException closed) {
                // The process has ended.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    private void run(long deadline) throws InterruptedException {
        request();
        try {
            while (System.currentTimeMillis() < deadline && events < MOST_EVENTS) {
                EventSet set = machine.eventQueue().remove(50);
                if (set == null) continue;
                for (Event event : set) {
                    events++;
                    try {
                        handle(event);
                    } catch (IncompatibleThreadStateException | ObjectCollectedException | InvalidStackFrameException gone) {
                        // The thread or object is no more: nothing was seen.
                    }
                    if (event instanceof VMDisconnectEvent) return;
                }
                if (random.nextInt(6) == 0) Thread.sleep(random.nextInt(2));
                set.resume();
            }
        } catch (VMDisconnectedException ended) {
            // The program is over.
        } finally {
            summarise();
        }
        try {
            machine.exit(0);
        } catch (VMDisconnectedException ended) {
            // It was faster.
        }
    }

    private <T extends EventRequest> T enabled(T request) {
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        return request;
    }

    private void request() {
        EventRequestManager manager = machine.eventRequestManager();
        ClassPrepareRequest prepare = manager.createClassPrepareRequest();
        MethodEntryRequest entry = manager.createMethodEntryRequest();
        for (String pattern : LIBRARY) {
            prepare.addClassExclusionFilter(pattern);
            entry.addClassExclusionFilter(pattern);
        }
        enabled(prepare);
        enabled(entry);
        enabled(manager.createExceptionRequest(null, true, true));
        for (ReferenceType type : machine.classesByName("java.lang.Thread"))
            for (Method method : type.methodsByName("start", "()V"))
                enabled(manager.createBreakpointRequest(method.location()));
    }

    private void handle(Event event) throws IncompatibleThreadStateException {
        if (event instanceof ClassPrepareEvent) prepare(((ClassPrepareEvent) event).referenceType());
        if (event instanceof MethodEntryEvent) enter((MethodEntryEvent) event);
        if (event instanceof WatchpointEvent) access((WatchpointEvent) event);
        if (event instanceof ExceptionEvent) thrown((ExceptionEvent) event);
        if (event instanceof BreakpointEvent) reached((BreakpointEvent) event);
    }

    // ---- what is looked at ----
    private void prepare(ReferenceType type) {
        if (!isProgram(type)) return;
        EventRequestManager manager = machine.eventRequestManager();
        for (Field field : type.fields()) {
            if (field.isSynthetic() && !field.name().startsWith("this$") && !field.name().startsWith("val$")) continue;
            enabled(manager.createAccessWatchpointRequest(field));
            enabled(manager.createModificationWatchpointRequest(field));
        }
        for (Method method : type.methods()) {
            if (method.isAbstract() || method.isNative()) continue;
            for (int offset : behindMonitorEnters(method.bytecodes())) {
                Location location = method.locationOfCodeIndex(offset);
                if (location != null) enabled(manager.createBreakpointRequest(location));
            }
        }
    }

    private static boolean isProgram(ReferenceType type) {
        String name = type.name();
        if (name.contains("$$Lambda")) return false;
        for (String pattern : LIBRARY)
            if (name.startsWith(pattern.substring(0, pattern.length() - 1))) return false;
        return true;
    }

    /** Offsets of the instructions behind each monitorenter. */
    private static List<Integer> behindMonitorEnters(byte[] code) {
        List<Integer> offsets = new ArrayList<>();
        for (int at = 0; at < code.length;) {
            int length = length(code, at);
            if ((code[at] & 0xFF) == 0xC2) offsets.add(at + length);
            at += length;
        }
        return offsets;
    }

    private static int word(byte[] code, int at) {
        return (code[at] & 0xFF) << 24 | (code[at + 1] & 0xFF) << 16 | (code[at + 2] & 0xFF) << 8 | code[at + 3] & 0xFF;
    }

    private static int length(byte[] code, int at) {
        int opcode = code[at] & 0xFF;
        int padded = (at + 4) & ~3;
        if (opcode == 0xAA) return padded + 12 + 4 * (word(code, padded + 8) - word(code, padded + 4) + 1) - at;
        if (opcode == 0xAB) return padded + 8 + 8 * word(code, padded + 4) - at;
        if (opcode == 0xC4) return (code[at + 1] & 0xFF) == 0x84 ? 6 : 4;
        if (opcode == 0x10 || opcode == 0x12 || opcode >= 0x15 && opcode <= 0x19 || opcode >= 0x36 && opcode <= 0x3A
                || opcode == 0xA9 || opcode == 0xBC) return 2;
        if (opcode == 0x11 || opcode == 0x13 || opcode == 0x14 || opcode == 0x84 || opcode >= 0x99 && opcode <= 0xA8
                || opcode >= 0xB2 && opcode <= 0xB8 || opcode == 0xBB || opcode == 0xBD || opcode == 0xC0
                || opcode == 0xC1 || opcode == 0xC6 || opcode == 0xC7) return 3;
        if (opcode == 0xC5) return 4;
        if (opcode == 0xB9 || opcode == 0xBA || opcode == 0xC8 || opcode == 0xC9) return 5;
        return 1;
    }

    // ---- what is seen ----
    private void enter(MethodEntryEvent event) throws IncompatibleThreadStateException {
        Method method = event.method();
        if (!isProgram(method.declaringType())) return;
        ThreadReference thread = event.thread();
        List<StackFrame> frames = thread.frames();
        entered.merge(name(method), 1, Integer::sum);
        if (method.isConstructor()) noteAllocation(frames);
        int caller = programFrame(frames, 1);
        if (caller < 0) {
            String start = starts.get(thread.uniqueID());
            line("root", "\"callee\":" + quoted(name(method)) + (start == null ? "" : ",\"start\":" + start));
        } else {
            line("call", "\"caller\":" + place(frames.get(caller).location()) + ",\"callee\":" + quoted(name(method)));
        }
        if (method.isSynchronized()) {
            ObjectReference monitor = method.isStatic() ? method.declaringType().classObject() : frames.get(0).thisObject();
            line("monitor", "\"at\":{\"method\":" + quoted(name(method)) + "},\"object\":" + object(monitor));
        }
    }

    private static int programFrame(List<StackFrame> frames, int from) {
        for (int i = from; i < frames.size(); i++)
            if (isProgram(frames.get(i).location().declaringType())) return i;
        return -1;
    }

    /** An object is made where its first constructor is called from; constructors call those of the superclass. */
    private void noteAllocation(List<StackFrame> frames) {
        ObjectReference made = frames.get(0).thisObject();
        if (made == null || sites.containsKey(made.uniqueID())) return;
        int depth = 1;
        while (depth < frames.size() && frames.get(depth).location().method().isConstructor()
                && made.equals(frames.get(depth).thisObject())) depth++;
        if (depth == frames.size() || !isProgram(frames.get(depth).location().declaringType())) return;
        String site = place(frames.get(depth).location());
        sites.put(made.uniqueID(), site);
        this.made.merge("{\"class\":" + quoted(internal(made.referenceType())) + ",\"site\":" + site + "}", 1, Integer::sum);
    }

    private void access(WatchpointEvent event) {
        ObjectReference object = event.object();
        boolean others = false;
        if (object != null) {
            Set<Long> threads = users.computeIfAbsent(object.uniqueID(), key -> new HashSet<>());
            long thread = event.thread().uniqueID();
            others = threads.stream().anyMatch(other -> other != thread);
            threads.add(thread);
            if (threads.size() > 1) line("shared", "\"object\":" + object(object));
        }
        if (!isProgram(event.location().declaringType())) return;
        line("access", "\"at\":" + place(event.location()) + ",\"field\":"
                + quoted(internal(event.field().declaringType()) + "." + event.field().name()) + ",\"write\":"
                + (event instanceof ModificationWatchpointEvent) + (object == null ? "" : ",\"object\":" + object(object))
                + ",\"others\":" + others);
    }

    private void thrown(ExceptionEvent event) throws IncompatibleThreadStateException {
        List<StackFrame> frames = event.thread().frames();
        int program = programFrame(frames, 0);
        if (program < 0) return;
        // What the library throws and catches itself does not reach the program.
        if (event.catchLocation() != null)
            for (int i = 0; i < program; i++)
                if (frames.get(i).location().method().equals(event.catchLocation().method())) return;
        line("exception", "\"at\":" + place(frames.get(program).location()) + ",\"class\":"
                + quoted(internal(event.exception().referenceType())));
    }

    private void reached(BreakpointEvent event) throws IncompatibleThreadStateException {
        ThreadReference thread = event.thread();
        Location location = event.location();
        if (!isProgram(location.declaringType())) {  // Thread.start
            List<StackFrame> frames = thread.frames();
            ObjectReference started = frames.get(0).thisObject();
            if (frames.size() > 1 && started != null && isProgram(frames.get(1).location().declaringType()))
                starts.put(started.uniqueID(), place(frames.get(1).location()));
            return;
        }
        for (MonitorInfo info : thread.ownedMonitorsAndFrames())
            if (info.stackDepth() == 0)
                line("monitor", "\"at\":{\"method\":" + quoted(name(location.method())) + "},\"object\":" + object(info.monitor()));
    }

    private void summarise() {
        made.forEach((site, count) -> {
            if (count > 1) line("made", "\"object\":" + site + ",\"count\":" + count);
        });
        entered.forEach((method, count) -> {
            if (count > 1) line("entered", "\"method\":" + quoted(method) + ",\"count\":" + count);
        });
    }

    // ---- how it is written ----
    private void line(String kind, String rest) {
        lines.add("{\"kind\":\"" + kind + "\"," + rest + "}");
    }

    private String object(ObjectReference object) {
        String site = sites.get(object.uniqueID());
        return "{\"class\":" + quoted(internal(object.referenceType())) + (site == null ? "" : ",\"site\":" + site) + "}";
    }

    private static String place(Location location) {
        return "{\"method\":" + quoted(name(location.method())) + ",\"offset\":" + location.codeIndex() + ",\"line\":"
                + location.lineNumber() + "}";
    }

    private static String internal(ReferenceType type) {
        return type.name().replace('.', '/');
    }

    private static String name(Method method) {
        return internal(method.declaringType()) + "." + method.name() + method.signature();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
