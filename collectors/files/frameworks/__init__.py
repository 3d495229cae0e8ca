"""Application frameworks: Spring, Quarkus, Micronaut, .NET, Debezium Server."""
