package main

import (
	"errors"
	"fmt"
	"io/fs"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Programs take and give tensors. A sequence that a test names is as many of them as its
// file has: the model is given a node that makes a list of them, or nodes that take its
// elements and its length. An optional value is what it holds, or nothing.

// values reads the inputs and the expected outputs of a test, and makes those of its model
// tensors.
func values(suite fs.FS, test string, m *onnx.Model) (inputs, want []tensor.Value, err error) {
	g := &m.Graph
	var made []onnx.Node
	inputs, in, err := listed(suite, test, "input", g.Inputs, func(name string, parts []string, absent bool) []string {
		switch {
		case absent:
			made = append(made, onnx.Node{Op: "Optional", Outputs: []string{name}})
		case len(parts) == 0:
			made = append(made, onnx.Node{Op: "SequenceEmpty", Outputs: []string{name}})
		default:
			made = append(made, onnx.Node{Op: "SequenceConstruct", Inputs: parts, Outputs: []string{name}})
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	nodes := append(made, g.Nodes...)
	want, out, err := listed(suite, test, "output", g.Outputs, func(name string, parts []string, absent bool) []string {
		for i, part := range parts {
			at := name + fmt.Sprintf(" at %d", i)
			nodes = append(nodes,
				onnx.Node{Op: "Constant", Outputs: []string{at}, Attributes: map[string]onnx.Attribute{"value_int": {Int: int64(i)}}},
				onnx.Node{Op: "SequenceAt", Inputs: []string{name, at}, Outputs: []string{part}})
		}
		length := name + " length"
		nodes = append(nodes, onnx.Node{Op: "SequenceLength", Inputs: []string{name}, Outputs: []string{length}})
		return []string{length}
	})
	if err != nil {
		return nil, nil, err
	}
	g.Nodes, g.Inputs, g.Outputs = nodes, in, out
	return inputs, want, nil
}

// listed reads NAME_0.pb, NAME_1.pb, ... of the first data set. A sequence or an absent
// value becomes the tensors that it has, and what instead returns.
func listed(suite fs.FS, test, name string, infos []onnx.ValueInfo, instead func(name string, parts []string, absent bool) []string) ([]tensor.Value, []onnx.ValueInfo, error) {
	var list []tensor.Value
	var flat []onnx.ValueInfo
	for i := 0; ; i++ {
		data, err := fs.ReadFile(suite, fmt.Sprintf("%s/test_data_set_0/%s_%d.pb", test, name, i))
		if errors.Is(err, fs.ErrNotExist) {
			if i < len(infos) {
				flat = append(flat, infos[i:]...)
			}
			return list, flat, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if i >= len(infos) || infos[i].Kind != onnx.KindSequence && infos[i].Kind != onnx.KindOptional {
			v, err := onnx.ParseTensor(data)
			if err != nil {
				return nil, nil, err
			}
			list = append(list, v)
			if i < len(infos) {
				flat = append(flat, infos[i])
			}
			continue
		}
		of, kind, err := content(data, infos[i].Kind)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, of...)
		if kind == onnx.KindTensor {
			flat = append(flat, onnx.ValueInfo{Name: infos[i].Name})
			continue
		}
		var parts []string
		for k := range of {
			parts = append(parts, fmt.Sprintf("%s %d", infos[i].Name, k))
			flat = append(flat, onnx.ValueInfo{Name: parts[k]})
		}
		for _, more := range instead(infos[i].Name, parts, kind == onnx.KindOptional) {
			length, err := tensor.Of([]int64{int64(len(of))})
			if err != nil {
				return nil, nil, err
			}
			list, flat = append(list, length), append(flat, onnx.ValueInfo{Name: more})
		}
	}
}

// Fields of SequenceProto and OptionalProto.
const (
	fieldTensor   = 3 // of a sequence repeated
	fieldSequence = 5 // of an optional value
)

// content reads a SequenceProto or an OptionalProto: the tensors, and whether they are a
// sequence, one tensor, or absent.
func content(data []byte, kind onnx.Kind) ([]tensor.Value, onnx.Kind, error) {
	var list []tensor.Value
	found := kind
	for len(data) > 0 {
		number, typ, n := protowire.ConsumeTag(data)
		if n < 0 {
			return nil, 0, errs.New(codeTests, "a sequence that is no message")
		}
		data = data[n:]
		size := protowire.ConsumeFieldValue(number, typ, data)
		if size < 0 {
			return nil, 0, errs.New(codeTests, "a sequence that is no message")
		}
		if typ == protowire.BytesType && (number == fieldTensor || number == fieldSequence && kind == onnx.KindOptional) {
			inside, _ := protowire.ConsumeBytes(data)
			if number == fieldSequence {
				return content(inside, onnx.KindSequence)
			}
			v, err := onnx.ParseTensor(inside)
			if err != nil {
				return nil, 0, err
			}
			list = append(list, v)
			if kind == onnx.KindOptional {
				found = onnx.KindTensor
			}
		}
		data = data[size:]
	}
	return list, found, nil
}
