"""A Llama checkpoint of transformers as one GGUF file, for llama.cpp and Ollama."""
