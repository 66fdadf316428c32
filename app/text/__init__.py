"""Language-independent text processing: patterns, sentences, languages, vocabulary."""
