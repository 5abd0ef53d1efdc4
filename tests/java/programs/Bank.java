// Transfers between accounts, locked in the order of their numbers.
public class Bank {
    static class Account {
        final int number;
        private long balance;
        Account(int number, long balance) { this.number = number; this.balance = balance; }
    }
    static class Poor extends RuntimeException {
        Poor(Account account) { super("account " + account.number); }
    }
    static void transfer(Account from, Account to, long amount) {
        Account first = from.number < to.number ? from : to, second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                if (from.balance < amount) throw new Poor(from);
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }
    public static void main(String[] args) throws Exception {
        Account[] accounts = new Account[3];
        for (int i = 0; i < accounts.length; i++) accounts[i] = new Account(i, 10);
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int from = i;
            threads[i] = new Thread(() -> {
                try {
                    transfer(accounts[from], accounts[(from + 1) % 3], 4 * (from + 1));
                } catch (Poor e) {
                    System.out.println(e.getMessage());
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        long sum = 0;
        for (Account account : accounts) sum += account.balance;
        System.out.println(sum);
    }
}
