import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** One line of settings in, one line out that says what a start made of them: outcome, detail, changed values, warnings. */
final class Lines {
    static final ObjectMapper JSON = new ObjectMapper();
    /** A client id is made up where there is none, acks=all is written as -1, the two names of a node's id go together. */
    private static final List<String> REWRITTEN = List.of("client.id", "acks", "broker.id", "node.id", "zookeeper.connect");
    /** The thread that starts things; warnings of others are not about the settings. */
    private static final String STARTER = "starter";
    private static final ByteArrayOutputStream LOG = new ByteArrayOutputStream();
    /** The start under way, which a fault in another thread ends. */
    static volatile CompletableFuture<Void> current;
    /** Set where the next start needs a fresh JVM; a port that an earlier start holds is such a case, too. */
    static volatile boolean worn;
    private static final int FRESH = 3;

    interface Start {
        void start(String component, Map<String, String> settings, ObjectNode changed) throws Exception;
    }

    private Lines() {
    }

    static void answer(Start start, int seconds) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        System.setErr(new PrintStream(LOG, true, "UTF-8"));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        boolean first = true;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer = answer(JSON.readTree(line), start, seconds);
            if (!first && answer.contains("Address already in use")) {
                Runtime.getRuntime().halt(FRESH);
            }
            first = false;
            out.println(answer);
            out.flush();
            if (worn) {
                Runtime.getRuntime().halt(FRESH);
            }
        }
        out.close();
        Runtime.getRuntime().halt(0);
    }

    private static String answer(JsonNode row, Start start, int seconds) {
        ObjectNode answer = JSON.createObjectNode().put("id", row.get("id").asText());
        ObjectNode changed = JSON.createObjectNode();
        Map<String, String> settings = new HashMap<>();
        row.get("settings").fields().forEachRemaining(entry -> settings.put(entry.getKey(), entry.getValue().asText()));
        LOG.reset();
        CompletableFuture<Void> started = new CompletableFuture<>();
        current = started;
        Thread starter = new Thread(() -> {
            try {
                start.start(row.get("component").asText(), settings, changed);
                started.complete(null);
            } catch (Throwable thrown) {
                started.completeExceptionally(thrown);
            }
        }, STARTER);
        starter.setDaemon(true);
        starter.start();
        try {
            started.get(seconds, TimeUnit.SECONDS);
            answer.put("outcome", "started").put("detail", "");
        } catch (ExecutionException refused) {
            answer.put("outcome", "refused").put("detail", reason(refused.getCause()));
        } catch (TimeoutException | InterruptedException late) {
            worn = true;
            answer.put("outcome", "unfinished").put("detail", stack(starter));
        }
        answer.set("changed", changed);
        answer.set("warnings", JSON.valueToTree(warnings()));
        return answer.toString();
    }

    static String reason(Throwable thrown) {
        List<String> reasons = new ArrayList<>();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (!(cause instanceof InvocationTargetException)) {
                reasons.add(cause.getClass().getSimpleName() + ": " + cause.getMessage());
            }
        }
        return String.join(" <- ", reasons);
    }

    private static String stack(Thread starter) {
        StringBuilder stack = new StringBuilder();
        for (StackTraceElement element : starter.getStackTrace()) {
            stack.append(element).append(' ');
        }
        return stack.toString();
    }

    /** The errors that every thread has logged, for a start that ended with the process. */
    static String errors() {
        StringBuilder errors = new StringBuilder();
        for (String line : LOG.toString().split("\n")) {
            if (line.contains("] ERROR ") || line.matches("(Caused by: )?[a-z]+(\\.\\w+)+(Exception|Error): .*")) {
                errors.append(line).append(' ');
            }
        }
        return errors.toString();
    }

    private static List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (String line : LOG.toString().split("\n")) {
            if (line.startsWith("[" + STARTER + "] ")) {
                warnings.add(line.substring(STARTER.length() + 3));
            }
        }
        return warnings;
    }

    /** The value of a private field, of the object's class or one above. */
    static Object field(Object object, String name) throws ReflectiveOperationException {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field.get(object);
                }
            }
        }
        throw new NoSuchFieldException(name);
    }

    static void changed(AbstractConfig config, Map<String, ?> given, ObjectNode changed) throws Exception {
        ConfigDef definitions = (ConfigDef) field(config, "definition");
        Map<String, Object> parsed = definitions.parse(given);
        for (String key : parsed.keySet()) {
            boolean password = definitions.configKeys().get(key).type == ConfigDef.Type.PASSWORD;
            Object used = config.values().get(key);
            if (!password && !REWRITTEN.contains(key) && !Objects.equals(parsed.get(key), used)) {
                put(key, used, given, changed);
            }
        }
    }

    static void put(String key, Object used, Map<String, ?> given, ObjectNode changed) {
        Object written = given.get(key);
        changed.putArray(key).add(written == null ? null : written.toString()).add(used == null ? null : used.toString());
    }
}
