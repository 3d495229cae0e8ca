"""What a file sets of Kafka in a form that no reader follows: it is said to be not read."""
