"""A one-machine engine for Repertoire: PyTorch and transformers behind the Tinker protocol."""
