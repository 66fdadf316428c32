"""The site that `bench.knowledge.crawl` crawls."""
