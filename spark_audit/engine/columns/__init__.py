"""What rules ask for as columns: settings of topics, brokers and clients, and facts of clusters."""
