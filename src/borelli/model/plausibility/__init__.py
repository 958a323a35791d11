"""What a model or its numbers may be and still deserve a look: odd, out of range, impossible."""
