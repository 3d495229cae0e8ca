import java.lang.reflect.Method;
import java.net.URI;
import org.apache.kafka.connect.cli.ConnectDistributed;
import org.apache.kafka.connect.connector.policy.ConnectorClientConfigOverridePolicy;
import org.apache.kafka.connect.runtime.distributed.DistributedConfig;
import org.apache.kafka.connect.runtime.isolation.Plugins;

/** The herder of a distributed worker, as ConnectDistributed makes it. */
final class Herders {
    private Herders() {
    }

    static void create(DistributedConfig config, URI address, Plugins plugins, ConnectorClientConfigOverridePolicy policy,
                       Object server, Object restClient) throws ReflectiveOperationException {
        Object main = ConnectDistributed.class.getConstructors()[0].newInstance((Object) new String[] {"worker.properties"});
        for (Method method : ConnectDistributed.class.getDeclaredMethods()) {
            if (method.getName().equals("createHerder") && !method.isBridge()) {
                method.setAccessible(true);
                method.invoke(main, config, address.getHost() + ":" + address.getPort(), plugins, policy, server, restClient);
                return;
            }
        }
        throw new NoSuchMethodException("createHerder");
    }
}
