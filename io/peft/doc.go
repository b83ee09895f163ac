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
// r is that of the tensors, and has to be the one of the settings; alpha_pattern and
// rank_pattern give some layers an alpha and a rank of their own, by names or regular
// expressions that fit the end of a layer's name.
//
// The settings are those of LoraConfig of peft 0.10 to 0.21. One that may change what a
// layer computes, or that is not known, is an error unless it is at its default: other
// kinds of adapters, DoRA, biases, weights stored as [in, out], modules that are saved
// whole, first values that changed the base weights (PiSSA, OLoRA), and so on. Names are
// compared by case, and none may stand twice.
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
// opened. At most 4096 patterns of 512 bytes are read; those that are not plain names are
// regular expressions of linear time (package regexp), and all of a setting have at most
// 4096 instructions. Limits of the tensors are those of package safetensors.
package peft
