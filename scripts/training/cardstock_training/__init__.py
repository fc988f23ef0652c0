"""Renders training photos, trains Cardstock's six networks and evaluates them."""
