package piper

// Cut returns the tensors at which a voice's file becomes the two entry points, by the
// names that Piper's export gives them.
func Cut() []string {
	return []string{
		"/Ceil_output_0",                    // lengths
		"/ReduceMax_output_0",               // their sum
		"/enc_p/Split_output_0",             // mean of each phoneme
		"/enc_p/Split_output_1",             // deviation
		"/enc_p/encoder/Unsqueeze_output_0", // mask
	}
}

// Shapes returns the sizes of the inputs, for one sentence in a call. It has at least five
// phonemes: start, pad, one, pad, end.
func Shapes() []string { return []string{"input=1,phonemes+4", "input_lengths=1"} }
