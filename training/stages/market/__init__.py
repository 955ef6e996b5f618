"""The stages that make a lab of the GPU market: traces of a teacher, then whole episodes."""
