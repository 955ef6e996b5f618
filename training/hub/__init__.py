"""Training elsewhere: jobs and repositories of the Hugging Face hub."""
