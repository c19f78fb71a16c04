"""Measure methods on collections."""
