"""Settings of a benchmark's model: any Gemini-compatible endpoint, however slow."""


def model_environment(url: str) -> dict[str, str]:
    """The server's environment variables for the model at this address."""
    return {
        "TABWRIGHT_LLM": "gemini",
        "GEMINI_API_KEY": "key",
        "TABWRIGHT_GEMINI_BASE_URL": url,
        "TABWRIGHT_MODEL_TIMEOUT_S": "600",
    }
