"""The site that `bench.knowledge_crawl` crawls."""
