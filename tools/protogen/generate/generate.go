// Package generate generates Go from .proto files, like protoc with protoc-gen-go, but without
// either program: protocompile reads the file, and the generator is protoc-gen-go's own package.
//
// # Errors
//
// Those of the compiler, with line and column, and of the generator. They have no codes:
// this is a tool of developers.
//
// # Determinism
//
// The text depends on the file and on the versions of both modules in go.mod, whose tests
// then fail until the files are generated again.
package generate

import (
	"context"
	"fmt"
	"path"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// Compile reads a .proto file without imports. The name is the one it is registered under
// in programs, such as io/onnx/schema/onnx.proto.
func Compile(name, source string) (protoreflect.FileDescriptor, error) {
	c := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(map[string]string{name: source})},
		SourceInfoMode: protocompile.SourceInfoStandard, // comments
	}
	files, err := c.Compile(context.Background(), name)
	if err != nil {
		return nil, err
	}
	return files[0], nil
}

// Go returns the text of the file NAME.pb.go beside the file NAME.proto.
func Go(name, source string) (string, error) {
	file, err := Compile(name, source)
	if err != nil {
		return "", err
	}
	plugin, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{name},
		Parameter:      proto.String("paths=source_relative"),
		ProtoFile:      []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(file)},
	})
	if err != nil {
		return "", err
	}
	internal_gengo.GenerateFile(plugin, plugin.FilesByPath[name])
	out := plugin.Response()
	if out.Error != nil || len(out.File) != 1 {
		return "", fmt.Errorf("%s: %d files: %s", path.Base(name), len(out.File), out.GetError())
	}
	return out.File[0].GetContent(), nil
}
