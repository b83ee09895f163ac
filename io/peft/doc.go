// Package peft reads adapters as the library PEFT saves them: low-rank updates of linear
// layers (LoRA, Hu et al. 2021).
//
// # Format
//
// Two files in one folder: adapter_config.json, which Open takes, and
// adapter_model.safetensors. For each layer that the adapter changes the second has A
// [r, in] and B [out, r], by the layer's place in the model:
//
//	base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight
//	base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight
//
// The layer then computes W x + s B A x. The factor s is in the settings alone:
// lora_alpha/r, or lora_alpha/sqrt(r) where use_rslora is true. It is a tensor here, f32
// [1], so that a program reads it as it does A and B:
//
//	base_model.model.model.layers.0.self_attn.q_proj.lora_scale
//
// r is that of the tensors; alpha_pattern gives some layers an alpha of their own, by
// regular expressions that fit the end of a layer's name.
//
// Settings that change what a layer computes and are not supported are errors: other
// kinds of adapters, DoRA, biases, weights stored as [in, out], and modules that are
// saved whole.
//
// # Errors
//
// PEFT_BAD_CONFIG and PEFT_UNSUPPORTED name the setting, PEFT_BAD_TENSOR the tensor.
// Those of package safetensors are about adapter_model.safetensors.
//
// # Determinism
//
// Everything depends only on the two files. Tensors have the order of the file, and the
// factors follow, sorted by name.
//
// # Untrusted input
//
// The settings have at most 1 MiB, 65536 values and 16 levels, and are compared with
// these limits before they are read. Only the file of that name in the same folder is
// opened. Patterns are regular expressions of linear time (package regexp). Limits of the
// tensors are those of package safetensors.
package peft
