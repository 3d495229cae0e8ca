import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.utils.Time;

/**
 * Starts brokers and controllers in this JVM, one after the other, each with a fresh folder of its own: until it serves,
 * or until it says no. What a node needs beside itself (a controller, ZooKeeper) runs here, too.
 */
public final class Nodes {
    private static final int SECONDS = Integer.getInteger("seconds", 25);
    private static final int CLOSING = 15_000;
    private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";
    private static int number;
    private static Object controller;
    private static AutoCloseable zookeeper;

    private Nodes() {
    }

    public static void main(String[] arguments) throws Exception {
        for (Method method : type("common.utils.Exit", "common.utils.internals.Exit").getMethods()) {
            if (method.getName().matches("set(Exit|Halt)Procedure")) {
                Class<?> procedure = method.getParameterTypes()[0];
                method.invoke(null, Proxy.newProxyInstance(procedure.getClassLoader(), new Class<?>[] {procedure},
                    (proxy, called, given) -> exited((Integer) given[0], (String) given[1])));
            }
        }
        Lines.answer(Nodes::start, SECONDS);
    }

    private static Class<?> type(String name, String newer) throws ClassNotFoundException {
        try {
            return Class.forName("org.apache.kafka." + name);
        } catch (ClassNotFoundException moved) {
            return Class.forName("org.apache.kafka." + newer);
        }
    }

    private static Object exited(int status, String message) {
        Lines.worn = true;
        Lines.current.completeExceptionally(new IllegalStateException("exit " + status + ": " + message + ": " + Lines.errors()));
        throw new ThreadDeath();
    }

    private static void start(String component, Map<String, String> settings, ObjectNode changed) throws Exception {
        Properties properties = new Properties();
        properties.putAll(settings);
        Path folder = Path.of(settings.get("log.dirs"));
        delete(folder);
        Files.createDirectories(folder);
        boolean kraft = settings.containsKey("process.roles");
        if (kraft) {
            format(settings, properties, folder);
            peer(settings);
        } else if (settings.containsKey("zookeeper.connect")) {
            zookeeper(settings);
            properties.put("zookeeper.connect", settings.get("zookeeper.connect") + "/" + number++);
        }
        Object config = Class.forName("kafka.server.KafkaConfig").getMethod("fromProps", Properties.class)
            .invoke(null, properties);
        Object server = server(config, kraft);
        try {
            server.getClass().getMethod("startup").invoke(server);
            Thread.sleep(100);
            Lines.changed((AbstractConfig) config, settings, changed);
        } finally {
            stop(server);
        }
    }

    private static Object server(Object config, boolean kraft) throws Exception {
        if (kraft) {
            return Class.forName("kafka.server.KafkaRaftServer").getConstructor(config.getClass(), Time.class)
                .newInstance(config, Time.SYSTEM);
        }
        Constructor<?> constructor = Class.forName("kafka.server.KafkaServer").getConstructors()[0];
        Object none = Class.forName("scala.Option").getMethod("empty").invoke(null);
        return constructor.newInstance(config, Time.SYSTEM, none, false);
    }

    /** A node that does not stop in time is left to the end of the JVM. */
    private static void stop(Object server) throws Exception {
        Thread stopping = new Thread(() -> {
            try {
                server.getClass().getMethod("shutdown").invoke(server);
                server.getClass().getMethod("awaitShutdown").invoke(server);
            } catch (Throwable thrown) {
                Lines.worn = true;
            }
        });
        stopping.setDaemon(true);
        stopping.start();
        Thread waiting = new Thread(() -> {
            try {
                stopping.join(CLOSING);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            Lines.worn = Lines.worn || stopping.isAlive();
        });
        waiting.start();
        waiting.join();
    }

    /** A voter of a quorum that is found by its bootstrap servers is formatted by Kafka's own tool. */
    private static void format(Map<String, String> settings, Properties properties, Path folder) throws Exception {
        boolean controller = settings.get("process.roles").contains("controller");
        if (!controller || settings.containsKey("controller.quorum.voters") || !settings.containsKey("controller.quorum.bootstrap.servers")) {
            format(settings, folder);
            return;
        }
        Path file = folder.resolveSibling("image.properties");
        try (OutputStream out = Files.newOutputStream(file)) {
            properties.store(out, null);
        }
        Class.forName("kafka.tools.StorageTool").getMethod("execute", String[].class, PrintStream.class)
            .invoke(null, new String[] {"format", "--cluster-id", CLUSTER, "--config", file.toString(), "--standalone"}, System.err);
    }

    /** What kafka-storage format writes. */
    private static void format(Map<String, String> settings, Path folder) throws IOException {
        Files.writeString(folder.resolve("meta.properties"),
            "version=1\ncluster.id=" + CLUSTER + "\nnode.id=" + settings.getOrDefault("node.id", settings.get("broker.id")) + "\n");
    }

    /** The controller of the voters that a broker alone names. */
    private static void peer(Map<String, String> settings) throws Exception {
        String voter = settings.get("controller.quorum.voters");
        if (controller != null || voter == null || !voter.contains("@localhost:") || voter.startsWith(settings.getOrDefault("node.id", settings.get("broker.id")) + "@")) {
            return;
        }
        Path folder = Path.of(settings.get("log.dirs") + "-controller");
        delete(folder);
        Files.createDirectories(folder);
        Properties properties = new Properties();
        properties.putAll(Map.of("process.roles", "controller", "node.id", voter.split("@")[0],
            "controller.quorum.voters", voter, "controller.listener.names", "CONTROLLER", "broker.session.timeout.ms", "2000",
            "listeners", "CONTROLLER://" + voter.split("@")[1], "log.dirs", folder.toString()));
        format(Map.of("node.id", voter.split("@")[0]), folder);
        Object config = Class.forName("kafka.server.KafkaConfig").getMethod("fromProps", Properties.class)
            .invoke(null, properties);
        controller = server(config, true);
        controller.getClass().getMethod("startup").invoke(controller);
    }

    private static void zookeeper(Map<String, String> settings) throws Exception {
        if (zookeeper != null) {
            return;
        }
        Path folder = Path.of(settings.get("log.dirs") + "-zookeeper");
        delete(folder);
        Files.createDirectories(folder);
        Object server = Class.forName("org.apache.zookeeper.server.ZooKeeperServer")
            .getConstructor(File.class, File.class, int.class).newInstance(folder.toFile(), folder.toFile(), 500);
        Class<?> factories = Class.forName("org.apache.zookeeper.server.ServerCnxnFactory");
        int port = Integer.parseInt(settings.get("zookeeper.connect").split(":")[1]);
        Object factory = factories.getMethod("createFactory", InetSocketAddress.class, int.class)
            .invoke(null, new InetSocketAddress("127.0.0.1", port), 1000);
        factories.getMethod("startup", server.getClass()).invoke(factory, server);
        zookeeper = () -> factories.getMethod("shutdown").invoke(factory);
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> {
                    try {
                        Files.delete(file);
                    } catch (IOException failed) {
                        throw new UncheckedIOException(failed);
                    }
                });
            }
        }
    }
}
