"""A made stream of news in Russian, Ukrainian and English with its truth alongside it."""
