"""The targets of the zoo's programs."""

# With AVX2 alone, and with AVX-512; a program for both chooses as it starts.
BACKENDS = {
    "cpu": "cpu_x86_64_v3",
    "cpu_v4": "cpu_x86_64_v4",
}

# Of models that multiply bytes: also with VNNI, an instruction for them.
BACKENDS_OF_BYTES = BACKENDS | {"cpu_vnni": "cpu_x86_64_v4_vnni"}
