"""Makes what `weights/model` ships: tokenizer, fine-tuned encoder, calibration, export and goldens."""
