// A timer and a scheduled executor.
import java.util.*;
import java.util.concurrent.*;

public class Timers {
    static volatile int ticks;
    static int work;
    public static void main(String[] args) throws Exception {
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() { @Override public void run() { ticks++; work++; } }, 1);
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<Integer> later = scheduler.schedule(() -> { work++; return 4; }, 1, TimeUnit.MILLISECONDS);
        System.out.println(later.get());
        scheduler.scheduleAtFixedRate(() -> ticks++, 0, 1, TimeUnit.MILLISECONDS);
        while (ticks < 3) Thread.sleep(1);
        scheduler.shutdownNow();
        timer.cancel();
    }
}
