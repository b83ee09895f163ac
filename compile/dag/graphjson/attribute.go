package graphjson

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// encode returns the value of an attribute by its Go type, which is that of its kind.
func encode(v any) (jsontext.Value, error) {
	switch v := v.(type) {
	case float64:
		return encodeFloat(v), nil
	case tensor.Value:
		data := base64.StdEncoding.EncodeToString(v.Bytes)
		return json.Marshal(typed{DType: &v.Type.DType, Shape: &v.Type.Shape, Data: &data})
	case tensor.Type:
		return json.Marshal(typed{DType: &v.DType, Shape: &v.Shape})
	case []int64:
		return json.Marshal(v, json.FormatNilSliceAsNull(false))
	}
	return json.Marshal(v)
}

// encodeFloat returns the shortest number that parses to the same bits, and a string
// for values that JSON numbers cannot represent.
func encodeFloat(f float64) jsontext.Value {
	switch {
	case math.IsInf(f, 1):
		return jsontext.Value(`"inf"`)
	case math.IsInf(f, -1):
		return jsontext.Value(`"-inf"`)
	case math.Float64bits(f) == math.Float64bits(math.NaN()):
		return jsontext.Value(`"nan"`)
	case math.IsNaN(f):
		return jsontext.Value(`"nan:` + strconv.FormatUint(math.Float64bits(f), 16) + `"`)
	}
	return jsontext.Value(strconv.FormatFloat(f, 'g', -1, 64))
}

func decodeFloat(raw jsontext.Value) (float64, bool) {
	if raw.Kind() == '0' {
		f, err := strconv.ParseFloat(string(raw), 64)
		return f, err == nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return 0, false
	}
	switch s {
	case "inf":
		return math.Inf(1), true
	case "-inf":
		return math.Inf(-1), true
	case "nan":
		return math.NaN(), true
	}
	bits, ok := strings.CutPrefix(s, "nan:")
	n, err := strconv.ParseUint(bits, 16, 64)
	f := math.Float64frombits(n)
	return f, ok && err == nil && len(bits) == 16 && math.IsNaN(f)
}

// decode reads an attribute of the kind k.
func decode(k op.Kind, p place, name, path string) (any, error) {
	bad := func(what string, args ...any) *errs.Error {
		e := errs.New(CodeAttribute, what, args...).At(p.at).On(path)
		e.What = "attribute " + strconv.Quote(name) + ": " + e.What
		return e
	}
	var v any
	var err error
	switch k {
	case op.KindInt:
		v, err = as[int64](p.raw)
	case op.KindInts:
		v, err = as[[]int64](p.raw)
	case op.KindDims:
		var s shape.Shape
		if s, err = as[shape.Shape](p.raw); s.IsStatic() {
			v = s.Sizes()
		} else {
			v = s
		}
	case op.KindBool:
		v, err = as[bool](p.raw)
	case op.KindString:
		v, err = as[string](p.raw)
	case op.KindDType:
		v, err = as[dtype.DType](p.raw)
	case op.KindFloat:
		f, ok := decodeFloat(p.raw)
		if !ok {
			return nil, bad("%s is not a float", clip(p.raw)).Hint(`write a number, "inf", "-inf", "nan" or "nan:" and its 16 hexadecimal digits`)
		}
		return f, nil
	case op.KindType, op.KindValue:
		return decodeTyped(k, p, bad)
	default:
		return nil, bad("kind %d cannot be written in a document", k)
	}
	if err != nil {
		return nil, bad("%s is not a %s", clip(p.raw), k)
	}
	return v, nil
}

func as[T any](raw jsontext.Value) (T, error) {
	var v T
	err := json.Unmarshal(raw, &v)
	return v, err
}

func decodeTyped(k op.Kind, p place, bad func(what string, args ...any) *errs.Error) (any, error) {
	var d typed
	if err := json.Unmarshal(p.raw, &d, json.RejectUnknownMembers(true)); err != nil {
		return nil, bad("%s is not a %s: %s", clip(p.raw), k, reason(err))
	}
	if d.DType == nil || d.Shape == nil || (d.Data != nil) != (k == op.KindValue) {
		return nil, bad("%s does not have the fields of a %s", clip(p.raw), k)
	}
	if len(*d.Shape) > MaxRank {
		return nil, errs.New(CodeLimit, "attribute of rank %d; the limit is %d", len(*d.Shape), MaxRank).At(p.at)
	}
	t := tensor.Type{DType: *d.DType, Shape: *d.Shape}
	if k == op.KindType {
		return t, nil
	}
	n, err := t.Bytes()
	if err != nil {
		return nil, bad("a value needs a static shape: %v", err)
	}
	if want := (n + 2) / 3 * 4; int64(len(*d.Data)) != want {
		return nil, bad("%d characters of data, want %d for the %d bytes of %s", len(*d.Data), want, n, t)
	}
	data, err := base64.StdEncoding.Strict().DecodeString(*d.Data)
	if err != nil || int64(len(data)) != n {
		return nil, bad("the data is not base64 of %d bytes", n)
	}
	return tensor.Value{Type: t, Bytes: data}, nil
}

// clip shortens a value for an error.
func clip(raw jsontext.Value) string {
	const most = 60
	if len(raw) > most {
		return string(raw[:most]) + "..."
	}
	return string(raw)
}
