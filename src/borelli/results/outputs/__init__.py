"""The single curves of a result: what they and their sources are called, grouped and added up to."""
