"""Pictures of results: colours, stacks of shares, and pages that show them."""
