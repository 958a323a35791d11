"""Numbers with their labels: tables over time, results as arrays and as Datasets, and what is read from both."""
