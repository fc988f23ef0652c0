"""The networks, one training module for each, and the export to data/model."""
