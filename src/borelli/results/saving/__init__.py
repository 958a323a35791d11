"""Result folders: written, read again, and verified."""
