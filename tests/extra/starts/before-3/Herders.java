import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.connector.policy.ConnectorClientConfigOverridePolicy;
import org.apache.kafka.connect.runtime.Worker;
import org.apache.kafka.connect.runtime.distributed.DistributedConfig;
import org.apache.kafka.connect.runtime.distributed.DistributedHerder;
import org.apache.kafka.connect.runtime.isolation.Plugins;
import org.apache.kafka.connect.storage.KafkaConfigBackingStore;
import org.apache.kafka.connect.storage.KafkaOffsetBackingStore;
import org.apache.kafka.connect.storage.KafkaStatusBackingStore;
import org.apache.kafka.connect.util.ConnectUtils;
import org.apache.kafka.connect.util.SharedTopicAdmin;

/** The herder of a distributed worker of 2.8, as ConnectDistributed.startConnect makes it. */
final class Herders {
    private Herders() {
    }

    static void create(DistributedConfig config, URI address, Plugins plugins, ConnectorClientConfigOverridePolicy policy,
                       Object server, Object restClient) {
        Map<String, Object> adminProps = new HashMap<>(config.originals());
        ConnectUtils.addMetricsContextProperties(adminProps, config, "made-up");
        SharedTopicAdmin admin = new SharedTopicAdmin(adminProps);
        KafkaOffsetBackingStore offsets = new KafkaOffsetBackingStore(admin);
        offsets.configure(config);
        Worker worker = new Worker(address.getHost() + ":" + address.getPort(), Time.SYSTEM, plugins, config, offsets, policy);
        KafkaStatusBackingStore statuses = new KafkaStatusBackingStore(Time.SYSTEM, worker.getInternalValueConverter(), admin);
        statuses.configure(config);
        KafkaConfigBackingStore configs =
            new KafkaConfigBackingStore(worker.getInternalValueConverter(), config, worker.configTransformer(), admin);
        new DistributedHerder(config, Time.SYSTEM, worker, "made-up", statuses, configs, address.toString(), policy, admin);
    }
}
