"""What muscles can do, and what they do."""
