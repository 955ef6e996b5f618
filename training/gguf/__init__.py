"""A Llama checkpoint of ours for Ollama, and adapters for llama.cpp."""
