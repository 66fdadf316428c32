"""What one look at a page finds, costs in tokens and takes in time, over many pages."""
