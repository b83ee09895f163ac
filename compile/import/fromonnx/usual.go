package fromonnx

// unusual are attributes, by operators, that are 0 in what rules compute: with another number
// the operator takes its inputs in another form.
var unusual = map[string][]string{
	"com.microsoft.Attention":                       {"past_present_share_buffer"},
	"com.microsoft.DecoderMaskedMultiHeadAttention": {"output_qk"},
	"com.microsoft.GroupQueryAttention":             {"qk_output", "sliding_window_cache"},
	"com.microsoft.MatMulNBits":                     {"weight_prepacked"},
	"com.microsoft.QAttention":                      {"past_present_share_buffer"},
	"com.microsoft.RotaryEmbedding":                 {"is_packed_batching"},
}

// usual refuses a node in which such an attribute is another number.
func (n *node) usual(name string) {
	for _, a := range unusual[name] {
		if x := n.int(a, 0); x != 0 {
			n.refuse("%s with %s=%d", n.Op, a, x)
		}
	}
}
