"""A canary in every place of a file where a secret may stand."""

from __future__ import annotations

CANARY = "kAn4ry"
JAAS = f'org.example.PlainLoginModule required username="u" password="{CANARY}";'


BASES = {
    "producer": "acks=1\nsecurity.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n",
    "combined": "process.roles=broker,controller\nlisteners=X://:9092\nsasl.enabled.mechanisms=PLAIN\n",
    "connect": "config.storage.topic=a\noffset.storage.topic=b\n",
    "streams": "application.id=a\n",
    "mirror": "clusters=a,b\n",
    "zookeeper": "dataDir=/d\ntickTime=2000\n",
}


LINES = [
    f"ssl.keystore.password={CANARY}",
    f"ssl.key.password : {CANARY} # with a comment",
    f"sasl.jaas.config={JAAS}",
    f"sasl.jaas.confg={JAAS}",
    f'listener.name.x.plain.sasl.jaas.config=org.example.PlainLoginModule required \\\n  password="{CANARY}" \\\n  user_a="{CANARY}";',
    f"delegation.token.secret.key={CANARY}",
    f"basic.auth.user.info=user:{CANARY}",
    f"schema.registry.url=https://user:{CANARY}@registry:8081",
    f"schema.registry.url=https://user:{CANARY}@{CANARY}@registry:8081",
    f"sasl.password={CANARY}",
    f"ssl.truststore.pasword={CANARY}",
    f"some.vendor.api.key={CANARY}",
    f"confluent.x.secret={CANARY}",
    f"my.db.credentials={CANARY}",
    f"ldap.java.naming.security.credentials={CANARY}",
    f"bootstrap.servers=SASL_SSL://user:{CANARY}@b1:9092",
    f"client.id=a password={CANARY}",
    f"ssl.keystore.key={CANARY}",
    f"ssl.key.passwrd={CANARY}\nssl.keystore.passsword={CANARY}\nssl.key.pssword={CANARY}",
    f"sasl.jaas.confg={CANARY}\nssl.kestore.key={CANARY}\nlistener.name.x.plain.sasl.jaas.confi={CANARY}",
    f"pass={CANARY}\ndb.url=jdbc:oracle:thin:scott/{CANARY}@db:1521/x",
    f"bootstrap.servers=SASL_SSL://u:p@h,u:{CANARY}@h",
    f"sasl.oauthbearer.client.credentials.client.secret={CANARY}",
    f"ssl.keystore.password={CANARY}\nssl.keystore.password={CANARY}2",
    f"sasl.oauthbearer.assertion.private.key.passphrase={CANARY}",
]
