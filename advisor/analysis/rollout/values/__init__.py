"""What changed values do on their own, whoever reaches whom: to nodes, records, clients, certificates and disks."""
