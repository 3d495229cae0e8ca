-- Five of the rules as one would write them in SQL, one of each kind: a topic's setting (KA152), its partitions (KA160,
-- KA221), its partitions and the brokers' racks (KA310), a producer and its topics (KA163). The rows are those of findings.
COPY (
WITH t AS (
  SELECT c.labels, t.cluster, t.name, t.internal, t.partitions,
         coalesce(list_filter(t.settings, lambda s: s.key = 'min.insync.replicas')[1].value::INT, 1) AS least,
         list_filter(t.settings, lambda s: s.key = 'unclean.leader.election.enable')[1].value AS unclean,
         map_from_entries(list_transform(list_filter(c.nodes, lambda n: n.rack IS NOT NULL), lambda n: (n.id, n.rack))) AS racks
  FROM read_parquet('$fleet/table=topics/*.parquet') t JOIN read_parquet('$fleet/table=clusters/*.parquet') c USING (cluster) WHERE c.status <> 'unreachable'),
few AS (SELECT *, list_filter(partitions, lambda p: len(p.replicas) < 3) AS p FROM t WHERE NOT internal),
under AS (SELECT *, list_filter(partitions, lambda p: p.leader <> -1 AND len(p.isr) < least(t.least, len(p.replicas))) AS p FROM t),
racked AS (
  SELECT *, list_filter(partitions, lambda p: len(p.replicas) > 1 AND racks[p.replicas[1]] IS NOT NULL
                        AND len(list_filter(p.replicas, lambda r: racks[r] = racks[p.replicas[1]])) = len(p.replicas)) AS p
  FROM t WHERE len(list_distinct(map_values(racks))) > 1),
used AS (
  SELECT c.cluster, c.name AS client, unnest(c.topics) AS name,
         coalesce(list_filter(c.settings, lambda s: s.key = 'acks')[1].value, if(split_part(c.kafka_version, '.', 1)::INT >= 3, 'all', '1')) AS acks
  FROM read_parquet('$fleet/table=clients/*.parquet') c WHERE c.kind = 'producer'),
f AS (
  SELECT labels, cluster, name, 'KA152' AS rule, 'unclean-election' AS called, 'critical' AS severity, [] AS beside,
         'a replica that missed records may become leader' AS message, 'unclean.leader.election.enable' AS key, unclean AS value, 'false' AS required, 0 AS n, []::INT[] AS ids
  FROM t WHERE unclean = 'true'
  UNION ALL SELECT labels, cluster, name, 'KA160', 'replicas-too-few', 'high', [], len(p[1].replicas) || ' of 3 replicas', 'replicas', len(p[1].replicas)::VARCHAR, '3', len(p), list_transform(p[1:5], lambda x: x.id)
  FROM few WHERE len(p) > 0
  UNION ALL SELECT labels, cluster, name, 'KA221', 'under-min-isr', 'critical', [], len(p[1].isr) || ' in sync, ' || least || ' needed for acks=all', 'in-sync replicas', len(p[1].isr)::VARCHAR, least::VARCHAR, len(p), list_transform(p[1:5], lambda x: x.id)
  FROM under WHERE len(p) > 0
  UNION ALL SELECT labels, cluster, name, 'KA310', 'one-rack-holds-all', 'high', [], 'all ' || len(p[1].replicas) || ' replicas in one rack', 'racks', len(p[1].replicas)::VARCHAR, 'two racks', len(p), list_transform(p[1:5], lambda x: x.id)
  FROM racked WHERE len(p) > 0
  UNION ALL SELECT labels, cluster, name, 'KA163', 'acks-all-means-one', 'high', ['producer ' || client], 'acks=all is confirmed by a lone leader', 'min.insync.replicas', least::VARCHAR, '2', 0, []
  FROM t JOIN used USING (cluster, name) WHERE least = 1 AND acks IN ('all', '-1'))
SELECT 'today' AS audit, cluster, labels, rule, called AS name, 'durability' AS family, severity, 'certain' AS confidence, false AS refused, 'topic' AS kind, name AS subject,
       beside AS "with", message, key, value, required, n AS partitions, ids AS first_partitions, NULL::VARCHAR AS file, NULL::INT AS line,
       '[{"key": "' || key || '", "value": "' || value || '", "source": "METADATA"}]' AS evidence, NULL::VARCHAR AS proof,
       sha256(concat_ws(chr(0), rule, cluster, 'topic', name, key)) AS fingerprint, NULL::VARCHAR AS waiver
FROM f) TO '$out' (FORMAT parquet, COMPRESSION zstd)
