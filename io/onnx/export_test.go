package onnx

// Number returns the element type of a tensor as the file has it.
func (f *File) Number(key string) int64 { return f.byKey[key].Number }
