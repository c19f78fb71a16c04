"""Measure methods on collections: quality, speed, and the tables of the papers."""
