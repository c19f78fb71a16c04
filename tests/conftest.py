pytest_plugins = ["servers.fixtures", "runners.scraped"]
