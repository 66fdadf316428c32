"""When a person must answer before the run continues, and what an answer allows."""
