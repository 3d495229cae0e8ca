package org.apache.kafka.connect.util;

import java.util.Map;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.runtime.distributed.DistributedConfig;

/** Stands before the class of 2.8, whose static method asks a cluster for its id. */
public final class ConnectUtils {
    private ConnectUtils() {
    }

    public static Long checkAndConvertTimestamp(Long timestamp) {
        return timestamp == null || timestamp >= 0 ? timestamp : null;
    }

    public static String lookupKafkaClusterId(WorkerConfig config) {
        return "made-up";
    }

    public static void addMetricsContextProperties(Map<String, Object> properties, WorkerConfig config, String clusterId) {
        properties.putAll(config.originalsWithPrefix("metrics.context.", false));
        properties.put("metrics.context." + WorkerConfig.CONNECT_KAFKA_CLUSTER_ID, clusterId);
        Object group = config.originals().get(DistributedConfig.GROUP_ID_CONFIG);
        if (group != null) {
            properties.put("metrics.context." + WorkerConfig.CONNECT_GROUP_ID, group);
        }
    }
}
