import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.connect.runtime.distributed.DistributedConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Gives each line of settings on standard input to Kafka's own classes and prints what they did, one line each. */
public final class Starts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BROKER = "broker:";
    /** A client id is made up where there is none, and acks=all is written as -1. */
    private static final List<String> REWRITTEN = List.of("client.id", "acks");

    private Starts() {
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(JSON.readTree(line)));
            out.flush();
        }
        out.close();
        Runtime.getRuntime().halt(0);
    }

    private static String answer(JsonNode row) {
        ObjectNode answer = JSON.createObjectNode().put("id", row.get("id").asText());
        try {
            TreeSet<String> changed = new TreeSet<>();
            start(row.get("component").asText(), settings(row), changed);
            answer.put("outcome", changed.isEmpty() ? "accepted" : "changed");
            answer.put("detail", String.join(", ", changed));
        } catch (Throwable thrown) {
            answer.put("outcome", "refused").put("detail", reason(thrown));
        }
        return answer.toString();
    }

    private static Map<String, String> settings(JsonNode row) {
        Map<String, String> settings = new HashMap<>();
        row.get("settings").fields().forEachRemaining(entry -> settings.put(entry.getKey(), entry.getValue().asText()));
        return settings;
    }

    private static String reason(Throwable thrown) {
        List<String> reasons = new ArrayList<>();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (!(cause instanceof InvocationTargetException)) {
                reasons.add(cause.getClass().getSimpleName() + ": " + cause.getMessage());
            }
        }
        return String.join(" <- ", reasons);
    }

    private static void start(String component, Map<String, String> settings, TreeSet<String> changed) throws Exception {
        Map<String, Object> given = new HashMap<>(settings);
        switch (component) {
            case "producer":
                leave(new KafkaProducer<>(given));
                changed.addAll(changed(new ProducerConfig(given), ProducerConfig.configDef(), given));
                break;
            case "consumer":
                leave(new KafkaConsumer<>(given));
                changed.addAll(changed(new ConsumerConfig(given), ConsumerConfig.configDef(), given));
                break;
            case "admin":
                leave(Admin.create(given));
                break;
            case "connect":
                new DistributedConfig(settings);
                break;
            case "streams":
                streams(new StreamsConfig(given));
                break;
            case "topic":
                topic(settings);
                break;
            default:
                broker(properties(settings));
        }
    }

    /** Closes a client aside: with some settings that takes for ever. */
    private static void leave(AutoCloseable client) {
        Thread closing = new Thread(() -> {
            try {
                client.close();
            } catch (Exception ignored) {
                // The client was created, which is all that was asked.
            }
        });
        closing.setDaemon(true);
        closing.start();
    }

    private static TreeSet<String> changed(AbstractConfig config, ConfigDef definitions, Map<String, Object> given) {
        TreeSet<String> changed = new TreeSet<>();
        Map<String, Object> parsed = definitions.parse(given);
        for (String key : parsed.keySet()) {
            boolean password = definitions.configKeys().get(key).type == ConfigDef.Type.PASSWORD;
            if (!password && !REWRITTEN.contains(key) && !Objects.equals(parsed.get(key), config.values().get(key))) {
                changed.add(key);
            }
        }
        return changed;
    }

    private static void streams(StreamsConfig config) {
        config.getMainConsumerConfigs("app", "client", 0);
        config.getRestoreConsumerConfigs("client");
        config.getGlobalConsumerConfigs("client");
        config.getProducerConfigs("client");
        config.getAdminConfigs("client");
    }

    private static Properties properties(Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(settings);
        return properties;
    }

    private static Map<?, ?> broker(Properties properties) throws Exception {
        Object config = Class.forName("kafka.server.KafkaConfig").getMethod("fromProps", Properties.class)
            .invoke(null, properties);
        Map<?, ?> defaults = logDefaults(config);
        Properties values = new Properties();
        defaults.forEach((key, value) -> {
            if (value != null) {
                values.put(key, value);
            }
        });
        for (Method method : logConfig().getMethods()) {
            if (method.getName().equals("validateValues") && method.getParameterCount() == 1) {
                method.invoke(null, method.getParameterTypes()[0] == Properties.class ? values : defaults);
            } else if (method.getName().equals("validateBrokerLogConfigValues")) {
                method.invoke(null, defaults, remote(properties));
            }
        }
        for (Method method : config.getClass().getMethods()) {
            if (method.getName().equals("createNewAuthorizer")) {
                Object[] arguments = {new Metrics(), "broker"};
                method.invoke(config, method.getParameterCount() == 0 ? new Object[0] : arguments);
            }
        }
        return defaults;
    }

    private static boolean remote(Properties properties) {
        return "true".equalsIgnoreCase(properties.getProperty("remote.log.storage.system.enable", "").trim());
    }

    private static Map<?, ?> logDefaults(Object config) throws Exception {
        for (Method method : config.getClass().getMethods()) {
            if (method.getName().equals("extractLogConfigMap") && method.getParameterCount() == 0) {
                return (Map<?, ?>) method.invoke(config);
            }
        }
        try {
            return (Map<?, ?>) logConfig().getMethod("extractLogConfigMap", config.getClass()).invoke(null, config);
        } catch (NoSuchMethodException absent) {
            return (Map<?, ?>) Class.forName("kafka.server.KafkaServer")
                .getMethod("copyKafkaConfigToLog", config.getClass()).invoke(null, config);
        }
    }

    private static Class<?> logConfig() throws ClassNotFoundException {
        try {
            return Class.forName("org.apache.kafka.storage.internals.log.LogConfig");
        } catch (ClassNotFoundException older) {
            return Class.forName("kafka.log.LogConfig");
        }
    }

    private static void topic(Map<String, String> settings) throws Exception {
        Properties own = new Properties();
        Properties node = new Properties();
        boolean zookeeper = false;
        try {
            zookeeper = Class.forName("kafka.server.KafkaServer") != null;
        } catch (ClassNotFoundException kraftOnly) {
            node.putAll(Map.of("process.roles", "broker,controller", "node.id", "1", "controller.quorum.voters", "1@b1:9093",
                "controller.listener.names", "CONTROLLER", "listeners", "PLAINTEXT://b1:9092,CONTROLLER://b1:9093",
                "listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT"));
        }
        if (zookeeper) {
            node.putAll(Map.of("zookeeper.connect", "zk1:2181", "broker.id", "1", "listeners", "PLAINTEXT://b1:9092"));
        }
        settings.forEach((key, value) -> {
            if (key.startsWith(BROKER)) {
                node.put(key.substring(BROKER.length()), value);
            } else {
                own.put(key, value);
            }
        });
        Map<?, ?> defaults = broker(node);
        Method validate = null;
        for (Method method : logConfig().getMethods()) {
            boolean wider = validate == null || method.getParameterCount() > validate.getParameterCount();
            if (method.getName().equals("validate") && wider) {
                validate = method;
            }
        }
        boolean takesProperties = List.of(validate.getParameterTypes()).contains(Properties.class);
        List<Object> values = new ArrayList<>();
        for (Class<?> type : validate.getParameterTypes()) {
            if (type == boolean.class) {
                values.add(remote(node) && !values.contains(true) && !values.contains(false));
            } else if (type == Properties.class || !takesProperties && values.size() == 1) {
                values.add(own);
            } else {
                values.add(values.contains(own) ? defaults : Map.of());
            }
        }
        validate.invoke(null, values.toArray());
    }
}
