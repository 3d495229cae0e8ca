import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.connector.policy.ConnectorClientConfigOverridePolicy;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.runtime.distributed.DistributedConfig;
import org.apache.kafka.connect.runtime.isolation.Plugins;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;

/** Makes clients, workers and Streams of settings, up to the point at which they would talk to a cluster. */
public final class Clients {
    private static final int SECONDS = 30;
    private static final ExecutorService CLOSING = Executors.newFixedThreadPool(8, task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });
    /** What Streams gives its clients as objects. */
    private static final Map<String, Class<?>> SERDES = Map.of(
        "key.serializer", ByteArraySerializer.class, "value.serializer", ByteArraySerializer.class,
        "key.deserializer", ByteArrayDeserializer.class, "value.deserializer", ByteArrayDeserializer.class);
    private static final List<String> OF_CONSUMERS = List.of("main.consumer.", "restore.consumer.", "global.consumer.");
    private static Plugins plugins;

    private Clients() {
    }

    public static void main(String[] arguments) throws Exception {
        Lines.answer(Clients::start, SECONDS);
    }

    private static void start(String component, Map<String, String> settings, ObjectNode changed) throws Exception {
        Map<String, Object> given = new HashMap<>(settings);
        switch (component) {
            case "producer":
                producer(given, changed);
                break;
            case "consumer":
                close(new KafkaConsumer<>(given));
                Lines.changed(new ConsumerConfig(given), given, changed);
                break;
            case "admin":
                Admin admin = Admin.create(given);
                close(admin);
                AdminClientConfig config = new AdminClientConfig(given);
                Lines.changed(config, given, changed);
                differ("default.api.timeout.ms", config, Lines.field(admin, "defaultApiTimeoutMs"), given, changed);
                break;
            case "connect":
                connect(settings, changed);
                break;
            default:
                streams(settings, changed);
        }
    }

    private static void producer(Map<String, Object> given, ObjectNode changed) throws Exception {
        KafkaProducer<?, ?> producer = new KafkaProducer<>(given);
        close(producer);
        ProducerConfig config = new ProducerConfig(given);
        Lines.changed(config, given, changed);
        Object timeout = Lines.field(Lines.field(producer, "accumulator"), "deliveryTimeoutMs");
        differ("delivery.timeout.ms", config, ((Number) timeout).intValue(), given, changed);
    }

    private static void differ(String key, AbstractConfig config, Object used, Map<String, ?> given, ObjectNode changed) {
        if (!Objects.equals(config.values().get(key), used)) {
            Lines.put(key, used, given, changed);
        }
    }

    /** Closes a client aside: with some settings that takes for ever. */
    private static void close(AutoCloseable client) {
        CLOSING.execute(() -> {
            try {
                if (client instanceof KafkaStreams) {
                    ((KafkaStreams) client).close(Duration.ZERO);
                } else if (client instanceof KafkaProducer) {
                    ((KafkaProducer<?, ?>) client).close(Duration.ZERO);
                } else if (client instanceof Admin) {
                    ((Admin) client).close(Duration.ZERO);
                } else if (client instanceof KafkaConsumer) {
                    ((KafkaConsumer<?, ?>) client).close(Duration.ZERO);
                } else {
                    client.close();
                }
            } catch (Exception ignored) {
                // It was created, which is all that was asked.
            }
        });
    }

    private static void streams(Map<String, String> settings, ObjectNode changed) throws Exception {
        Properties properties = new Properties();
        properties.putAll(settings);
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("in").to("out");
        KafkaStreams streams = new KafkaStreams(builder.build(properties), properties);
        close(streams::close);
        StreamsConfig config = new StreamsConfig(properties);
        Lines.changed(config, settings, changed);
        Map<String, Object> main = config.getMainConsumerConfigs(settings.get("application.id"), "client", 0);
        Map<String, Object> producer = config.getProducerConfigs("client");
        unused("producer.", settings, changed, List.of(producer));
        unused("admin.", settings, changed, List.of(config.getAdminConfigs("client")));
        unused("main.consumer.", settings, changed, List.of(main));
        List<Map<String, Object>> consumers =
            List.of(main, config.getRestoreConsumerConfigs("client"), config.getGlobalConsumerConfigs("client"));
        unused("consumer.", settings, changed, consumers);
        unused("restore.consumer.", settings, changed, consumers.subList(1, 2));
        unused("global.consumer.", settings, changed, consumers.subList(2, 3));
        producer.put("key.serializer", SERDES.get("key.serializer"));
        producer.put("value.serializer", SERDES.get("value.serializer"));
        consumers.forEach(consumer -> SERDES.keySet().stream().filter(key -> key.endsWith("deserializer"))
            .forEach(key -> consumer.put(key, SERDES.get(key))));
        inner("admin.", new AdminClientConfig(config.getAdminConfigs("client")), config.getAdminConfigs("client"), changed);
        if (config.getInt(StreamsConfig.NUM_STREAM_THREADS_CONFIG) <= 0) {
            return;
        }
        inner("producer.", new ProducerConfig(producer), producer, changed);
        ObjectNode ofMain = changed.objectNode();
        ObjectNode ofRestore = changed.objectNode();
        inner("", new ConsumerConfig(main), main, ofMain);
        inner("", new ConsumerConfig(consumers.get(1)), consumers.get(1), ofRestore);
        ofMain.fieldNames().forEachRemaining(key -> {
            if (!changed.has(key)) {
                changed.set((ofRestore.has(key) ? "consumer." : "main.consumer.") + key, ofMain.get(key));
            }
        });
        ofRestore.fieldNames().forEachRemaining(key -> {
            if (!changed.has(key) && !ofMain.has(key)) {
                changed.set("restore.consumer." + key, ofRestore.get(key));
            }
        });
    }

    /** What a client within Streams changes by itself, where Streams has not changed it before. */
    private static void inner(String prefix, AbstractConfig config, Map<String, Object> given, ObjectNode changed)
            throws Exception {
        ObjectNode found = changed.objectNode();
        Lines.changed(config, given, found);
        found.fieldNames().forEachRemaining(key -> {
            if (prefix.isEmpty() || !changed.has(key)) {
                changed.set(prefix + key, found.get(key));
            }
        });
    }

    /** Settings with a prefix whose value none of the clients of that prefix has. */
    private static void unused(String prefix, Map<String, String> settings, ObjectNode changed,
                               List<Map<String, Object>> clients) {
        settings.forEach((key, value) -> {
            String name = key.startsWith(prefix) ? key.substring(prefix.length()) : "";
            boolean known = ProducerConfig.configNames().contains(name) || ConsumerConfig.configNames().contains(name)
                || AdminClientConfig.configNames().contains(name);
            for (int i = 0; known && clients.size() > 1 && i < OF_CONSUMERS.size(); i++) {
                known = !settings.containsKey(OF_CONSUMERS.get(i) + name);
            }
            if (known && clients.stream().noneMatch(client -> value.trim().equals(text(client.get(name))))) {
                Lines.put(key, clients.get(0).get(name), settings, changed);
            }
        });
    }

    private static String text(Object value) {
        return value == null ? null : value.toString().trim();
    }

    /** What ConnectDistributed does, with the cluster's id made up, up to the herder's own thread. */
    private static void connect(Map<String, String> settings, ObjectNode changed) throws Exception {
        if (plugins == null) {
            plugins = new Plugins(Map.of());
        }
        plugins.compareAndSwapWithDelegatingLoader();
        DistributedConfig config = new DistributedConfig(settings);
        Admin.create(config.originals()).close(Duration.ZERO);
        for (Field field : WorkerConfig.class.getDeclaredFields()) {
            if (field.getName().equals("kafkaClusterId")) {
                field.setAccessible(true);
                field.set(config, "made-up");
            }
        }
        AutoCloseable rest = null;
        try {
            Object restClient = restClient(config);
            Object server = server(config, restClient);
            Object jetty = Lines.field(server, "jettyServer");
            rest = () -> jetty.getClass().getMethod("stop").invoke(jetty);
            server.getClass().getMethod("initializeServer").invoke(server);
            URI address = (URI) server.getClass().getMethod("advertisedUrl").invoke(server);
            ConnectorClientConfigOverridePolicy policy = plugins.newPlugin(
                config.getString(WorkerConfig.CONNECTOR_CLIENT_POLICY_CLASS_CONFIG), config,
                ConnectorClientConfigOverridePolicy.class);
            Herders.create(config, address, plugins, policy, server, restClient);
        } finally {
            if (rest != null) {
                rest.close();
            }
        }
        Lines.changed(config, settings, changed);
    }

    private static Object restClient(WorkerConfig config) throws ReflectiveOperationException {
        Class<?> type = Class.forName("org.apache.kafka.connect.runtime.rest.RestClient");
        for (Constructor<?> constructor : type.getConstructors()) {
            if (constructor.getParameterCount() == 1) {
                return constructor.newInstance(config);
            }
        }
        return null;
    }

    private static Object server(DistributedConfig config, Object restClient) throws ReflectiveOperationException {
        try {
            Class<?> type = Class.forName("org.apache.kafka.connect.runtime.rest.ConnectRestServer");
            Object timeout = DistributedConfig.class.getMethod("rebalanceTimeout").invoke(config);
            return type.getConstructors()[0].newInstance(timeout, restClient, config.originals());
        } catch (ClassNotFoundException older) {
            return Class.forName("org.apache.kafka.connect.runtime.rest.RestServer").getConstructors()[0]
                .newInstance(config);
        }
    }
}
