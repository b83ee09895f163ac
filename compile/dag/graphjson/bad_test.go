package graphjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
)

// good has a state, a private function, a call, a loop, constants and a
// parameter; the malformed documents are made from it by one replacement each.
const good = `{"schema":1,"name":"m","states":[{"name":"kept","dtype":"f32","shape":[2],"init":0}],"functions":[
{"name":"twice","entry":false,"args":[{"name":"x","id":0,"dtype":"f32","shape":[2]}],"nodes":[
{"op":"add","path":"twice/add","inputs":[0,0],"outputs":[{"id":1,"dtype":"f32","shape":[2]}]}],"results":[{"name":"y","value":1}],"writes":[]},
{"name":"main","entry":true,"args":[{"name":"n","id":0,"dtype":"i32","shape":[]},{"name":"x","id":1,"dtype":"f32","shape":[2]}],"nodes":[
{"op":"constant","path":"main/c","inputs":[],"attributes":{"value":{"dtype":"f32","shape":[2],"data":"AACAPwAAAEA="},"name":"c"},"outputs":[{"id":2,"dtype":"f32","shape":[2]}]},
{"op":"splat","path":"main/zero","inputs":[],"attributes":{"type":{"dtype":"i32","shape":[]},"value":0},"outputs":[{"id":3,"dtype":"i32","shape":[]}]},
{"op":"call","path":"main/twice","inputs":[2],"attributes":{"function":"twice"},"outputs":[{"id":4,"dtype":"f32","shape":[2]}]},
{"op":"while","path":"main/loop","inputs":[3,1],"blocks":[
{"args":[{"id":5,"dtype":"i32","shape":[]},{"id":6,"dtype":"f32","shape":[2]}],"nodes":[{"op":"compare","path":"main/loop/less","inputs":[5,0],"attributes":{"direction":"LT"},"outputs":[{"id":7,"dtype":"bool","shape":[]}]}],"results":[7]},
{"args":[{"id":8,"dtype":"i32","shape":[]},{"id":9,"dtype":"f32","shape":[2]}],"nodes":[{"op":"splat","path":"main/loop/one","inputs":[],"attributes":{"type":{"dtype":"i32","shape":[]},"value":1},"outputs":[{"id":10,"dtype":"i32","shape":[]}]},{"op":"add","path":"main/loop/next","inputs":[8,10],"outputs":[{"id":11,"dtype":"i32","shape":[]}]},{"op":"add","path":"main/loop/sum","inputs":[9,4],"outputs":[{"id":12,"dtype":"f32","shape":[2]}]}],"results":[11,12]}],
"outputs":[{"id":13,"dtype":"i32","shape":[]},{"id":14,"dtype":"f32","shape":[2]}]},
{"op":"transpose","path":"main/t","inputs":[14],"attributes":{"permutation":[0]},"outputs":[{"id":15,"dtype":"f32","shape":[2]}]},
{"op":"convert","path":"main/half","inputs":[15],"attributes":{"dtype":"f16"},"outputs":[{"id":16,"dtype":"f16","shape":[2]}]}
],"results":[{"name":"y","value":16}],"writes":[{"state":"kept","value":14}]}]}
`

// badCase is a replacement in good; the error's offset is where place begins
// in the result, or none if place is empty.
type badCase struct {
	name, old, new string
	code           errs.Code
	place          string
}

var badCases = []badCase{
	{"text_empty", good, "", "GRAPH_JSON", "^$"},
	{"text_cut_short", "\"value\":14}]}]}\n", "\"value\":14", "GRAPH_JSON", "^$"},
	{"text_no_json", "{\"schema\"", "<schema", "GRAPH_JSON", "<schema"},
	{"text_list", good, "[]", "GRAPH_JSON", ""},
	{"text_number", good, "12", "GRAPH_JSON", ""},
	{"text_two_documents", "14}]}]}\n", "14}]}]} {}", "GRAPH_JSON", "{}"},
	{"text_garbage_behind", "14}]}]}\n", "14}]}]} ?", "GRAPH_JSON", "?"},
	{"text_comma_at_end", "14}]}]}\n", "14}],}]}", "GRAPH_JSON", ""},
	{"text_no_utf8", "main/half", "main/\xff", "GRAPH_JSON", ""},
	{"text_null", "\"init\":0", "\"init\":null", "GRAPH_JSON", "null"},
	{"field_twice", "\"entry\":false", "\"entry\":false,\"entry\":true", "GRAPH_JSON", ""},
	{"field_unknown", "\"entry\":false", "\"entry\":false,\"inline\":true", "GRAPH_FIELD", "\"inline\""},
	{"field_of_other_case", "\"entry\":false", "\"Entry\":false", "GRAPH_FIELD", ""},
	{"field_unknown_in_node", "\"path\":\"main/t\"", "\"path\":\"main/t\",\"weights\":[]", "GRAPH_FIELD", ""},
	{"field_unknown_in_value", "\"data\":", "\"endian\":1,\"data\":", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[2],\"endian\""},
	{"schema_missing", "\"schema\":1,", "", "GRAPH_FIELD", "{"},
	{"schema_newer", "\"schema\":1", "\"schema\":2", "GRAPH_SCHEMA", ""},
	{"schema_text", "\"schema\":1", "\"schema\":\"1\"", "GRAPH_JSON", ""},
	{"schema_fraction", "\"schema\":1", "\"schema\":1.0", "GRAPH_JSON", ""},
	{"name_missing", "\"name\":\"m\",", "", "GRAPH_FIELD", "{"},
	{"name_bad", "\"name\":\"m\"", "\"name\":\"a b\"", "DAG_NAME", ""},
	{"states_missing", "\"states\":[{\"name\":\"kept\",\"dtype\":\"f32\",\"shape\":[2],\"init\":0}],", "", "GRAPH_FIELD", "{"},
	{"state_without_init", ",\"init\":0", "", "GRAPH_FIELD", "{\"name\":\"kept\""},
	{"state_init_word", "\"init\":0", "\"init\":\"zero\"", "GRAPH_ATTRIBUTE", "\"zero\""},
	{"state_init_too_large", "\"init\":0", "\"init\":1e999", "GRAPH_ATTRIBUTE", "1e999"},
	{"state_dynamic", "\"kept\",\"dtype\":\"f32\",\"shape\":[2]", "\"kept\",\"dtype\":\"f32\",\"shape\":[\"n?\"]", "DAG_STATE", "{\"name\":\"kept\""},
	{"dtype_unknown", "\"id\":0,\"dtype\":\"f32\"", "\"id\":0,\"dtype\":\"float\"", "GRAPH_JSON", ""},
	{"dtype_of_files_only", "\"id\":0,\"dtype\":\"f32\"", "\"id\":0,\"dtype\":\"c64\"", "OP_DTYPE", "{\"op\":\"add\",\"path\":\"twice"},
	{"shape_negative", "\"id\":0,\"dtype\":\"f32\",\"shape\":[2]", "\"id\":0,\"dtype\":\"f32\",\"shape\":[-1]", "GRAPH_JSON", ""},
	{"shape_number", "\"id\":0,\"dtype\":\"f32\",\"shape\":[2]", "\"id\":0,\"dtype\":\"f32\",\"shape\":2", "GRAPH_JSON", ""},
	{"shape_bad_name", "\"id\":0,\"dtype\":\"f32\",\"shape\":[2]", "\"id\":0,\"dtype\":\"f32\",\"shape\":[\"n n?\"]", "GRAPH_JSON", ""},
	{"sizes_bad_name", "\"transpose\",\"path\":\"main/t\",\"inputs\":[14],\"attributes\":{\"permutation\":[0]}", "\"reshape\",\"path\":\"main/t\",\"inputs\":[14],\"attributes\":{\"sizes\":[\"n+?\"]}", "GRAPH_ATTRIBUTE", "[\"n+?\"]"},
	{"sizes_negative", "\"transpose\",\"path\":\"main/t\",\"inputs\":[14],\"attributes\":{\"permutation\":[0]}", "\"reshape\",\"path\":\"main/t\",\"inputs\":[14],\"attributes\":{\"sizes\":[-2]}", "GRAPH_ATTRIBUTE", "[-2]"},
	{"sizes_number", "\"transpose\",\"path\":\"main/t\",\"inputs\":[14],\"attributes\":{\"permutation\":[0]}", "\"reshape\",\"path\":\"main/t\",\"inputs\":[14],\"attributes\":{\"sizes\":2}", "GRAPH_ATTRIBUTE", "2}"},
	{"sizes_of_no_argument", "\"transpose\",\"path\":\"main/t\",\"inputs\":[14],\"attributes\":{\"permutation\":[0]}", "\"reshape\",\"path\":\"main/t\",\"inputs\":[14],\"attributes\":{\"sizes\":[\"n?\"]}", "OP_SHAPE", "{\"op\":\"reshape\""},
	{"shape_of_rank_33", "\"id\":0,\"dtype\":\"f32\",\"shape\":[2]", "\"id\":0,\"dtype\":\"f32\",\"shape\":[1" + strings.Repeat(",1", 32) + "]", "GRAPH_LIMIT", "{\"name\":\"x\",\"id\":0"},
	{"function_without_entry", "\"entry\":false,", "", "GRAPH_FIELD", "{\"name\":\"twice\""},
	{"function_name_twice", "\"name\":\"twice\"", "\"name\":\"main\"", "DAG_NAME", ""},
	{"argument_without_name", "{\"name\":\"x\",\"id\":1,", "{\"id\":1,", "GRAPH_FIELD", "{\"id\":1,\"dtype\":\"f32\",\"shape\":[2]}],\"nodes\":[\n{\"op\":\"constant"},
	{"argument_without_id", "{\"name\":\"x\",\"id\":1,", "{\"name\":\"x\",", "GRAPH_FIELD", "{\"name\":\"x\",\"dtype\""},
	{"argument_name_twice", "{\"name\":\"x\",\"id\":1,", "{\"name\":\"n\",\"id\":1,", "DAG_NAME", "{\"name\":\"main\""},
	{"block_argument_with_name", "{\"id\":5,", "{\"name\":\"i\",\"id\":5,", "GRAPH_FIELD", "{\"name\":\"i\""},
	{"id_twice", "\"id\":3,", "\"id\":2,", "GRAPH_ID", "{\"id\":2,\"dtype\":\"i32\""},
	{"id_twice_after_block", "\"id\":13,", "\"id\":7,", "GRAPH_ID", "{\"id\":7,\"dtype\":\"i32\""},
	{"id_negative", "\"id\":3,", "\"id\":-3,", "GRAPH_ID", "{\"id\":-3,"},
	{"id_too_large", "\"id\":3,", "\"id\":2147483648,", "GRAPH_ID", "{\"id\":2147483648,"},
	{"id_text", "\"id\":3,", "\"id\":\"3\",", "GRAPH_JSON", ""},
	{"input_undefined", "\"inputs\":[14]", "\"inputs\":[99]", "GRAPH_ID", "{\"op\":\"transpose\""},
	{"input_before_it_is_made", "\"inputs\":[2]", "\"inputs\":[14]", "GRAPH_ID", "{\"op\":\"call\""},
	{"input_of_itself", "\"inputs\":[14]", "\"inputs\":[15]", "GRAPH_ID", "{\"op\":\"transpose\""},
	{"input_out_of_a_block", "\"inputs\":[14]", "\"inputs\":[12]", "GRAPH_ID", "{\"op\":\"transpose\""},
	{"input_argument_of_a_block", "\"inputs\":[14]", "\"inputs\":[9]", "GRAPH_ID", "{\"op\":\"transpose\""},
	{"input_of_another_block", "\"inputs\":[9,4]", "\"inputs\":[6,4]", "GRAPH_ID", "{\"op\":\"add\",\"path\":\"main/loop/sum\""},
	{"input_not_an_id", "\"inputs\":[14]", "\"inputs\":[true]", "GRAPH_JSON", ""},
	{"inputs_missing", "\"inputs\":[14],", "", "GRAPH_FIELD", "{\"op\":\"transpose\""},
	{"inputs_too_few", "\"inputs\":[9,4]", "\"inputs\":[9]", "OP_OPERANDS", "{\"op\":\"add\",\"path\":\"main/loop/sum\""},
	{"op_unknown", "\"op\":\"transpose\"", "\"op\":\"permute\"", "OP_UNKNOWN", "{\"op\":\"permute\""},
	{"op_missing", "\"op\":\"transpose\",", "", "GRAPH_FIELD", "{\"path\":\"main/t\""},
	{"attribute_missing", "\"attributes\":{\"permutation\":[0]},", "", "OP_ATTRIBUTE", "{\"op\":\"transpose\""},
	{"attribute_unknown", "{\"permutation\":[0]}", "{\"permutation\":[0],\"order\":1}", "GRAPH_ATTRIBUTE", "1},\"outputs\":[{\"id\":15"},
	{"attribute_of_another_kind", "{\"permutation\":[0]}", "{\"permutation\":0}", "GRAPH_ATTRIBUTE", "0},\"outputs\":[{\"id\":15"},
	{"attribute_out_of_range", "{\"permutation\":[0]}", "{\"permutation\":[1]}", "OP_ATTRIBUTE", "{\"op\":\"transpose\""},
	{"attribute_whole_number_with_fraction", "{\"permutation\":[0]}", "{\"permutation\":[0.5]}", "GRAPH_ATTRIBUTE", "[0.5]"},
	{"attribute_beyond_64_bits", "{\"permutation\":[0]}", "{\"permutation\":[9223372036854775808]}", "GRAPH_ATTRIBUTE", "[9223372036854775808]"},
	{"attribute_dtype_unknown", "{\"dtype\":\"f16\"}", "{\"dtype\":\"half\"}", "GRAPH_ATTRIBUTE", "\"half\""},
	{"attribute_nan_that_is_none", "\"value\":0}", "\"value\":\"nan:0000000000000001\"}", "GRAPH_ATTRIBUTE", "\"nan:"},
	{"attribute_nan_too_short", "\"value\":0}", "\"value\":\"nan:7ff8\"}", "GRAPH_ATTRIBUTE", "\"nan:"},
	{"attribute_type_with_data", "{\"type\":{\"dtype\":\"i32\",\"shape\":[]},\"value\":0}", "{\"type\":{\"dtype\":\"i32\",\"shape\":[],\"data\":\"\"},\"value\":0}", "GRAPH_ATTRIBUTE", "{\"dtype\":\"i32\",\"shape\":[],\"data\""},
	{"value_without_data", ",\"data\":\"AACAPwAAAEA=\"", "", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[2]},\"name\""},
	{"value_data_too_short", "AACAPwAAAEA=", "AACAPw==", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[2],\"data\""},
	{"value_data_no_base64", "AACAPwAAAEA=", "AACAPw??AEA=", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[2],\"data\""},
	{"value_data_one_byte_less", "AACAPwAAAEA=", "AACAPwAAAA==", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[2],\"data\""},
	{"value_data_loose_bits", "AACAPwAAAEA=", "AACAPwAAAEB=", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[2],\"data\""},
	{"value_huge", "\"shape\":[2],\"data\"", "\"shape\":[1099511627776],\"data\"", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[1099511627776]"},
	{"value_overflows", "\"shape\":[2],\"data\"", "\"shape\":[4294967296,4294967296],\"data\"", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[4294967296"},
	{"value_dynamic", "\"shape\":[2],\"data\"", "\"shape\":[\"?\"],\"data\"", "GRAPH_ATTRIBUTE", "{\"dtype\":\"f32\",\"shape\":[\"?\"]"},
	{"value_of_rank_33", "\"shape\":[2],\"data\"", "\"shape\":[2" + strings.Repeat(",1", 32) + "],\"data\"", "GRAPH_LIMIT", "{\"dtype\":\"f32\",\"shape\":[2,1"},
	{"output_of_another_type", "{\"id\":15,\"dtype\":\"f32\"", "{\"id\":15,\"dtype\":\"f64\"", "GRAPH_TYPE", "{\"id\":15"},
	{"output_of_another_shape", "{\"id\":15,\"dtype\":\"f32\",\"shape\":[2]", "{\"id\":15,\"dtype\":\"f32\",\"shape\":[\"n?\"]", "GRAPH_TYPE", "{\"id\":15"},
	{"output_with_half_a_type", "{\"id\":15,\"dtype\":\"f32\",\"shape\":[2]}", "{\"id\":15,\"dtype\":\"f32\"}", "GRAPH_FIELD", "{\"id\":15"},
	{"output_with_name", "{\"id\":15,", "{\"name\":\"t\",\"id\":15,", "GRAPH_FIELD", "{\"name\":\"t\""},
	{"outputs_too_many", "{\"id\":15,", "{\"id\":20},{\"id\":15,", "GRAPH_TYPE", "{\"op\":\"transpose\""},
	{"outputs_none", "\"outputs\":[{\"id\":13,\"dtype\":\"i32\",\"shape\":[]},{\"id\":14,\"dtype\":\"f32\",\"shape\":[2]}]", "\"outputs\":[]", "GRAPH_TYPE", "{\"op\":\"while\""},
	{"call_output_without_type", "{\"id\":4,\"dtype\":\"f32\",\"shape\":[2]}", "{\"id\":4}", "GRAPH_FIELD", "{\"id\":4}"},
	{"call_of_another_type", "{\"id\":4,\"dtype\":\"f32\",\"shape\":[2]}", "{\"id\":4,\"dtype\":\"f32\",\"shape\":[3]}", "OP_SHAPE", "{\"op\":\"add\",\"path\":\"main/loop/sum\""},
	{"call_of_nothing", "{\"function\":\"twice\"}", "{\"function\":\"thrice\"}", "DAG_CALL", "{\"op\":\"call\""},
	{"call_of_itself", "{\"function\":\"twice\"}", "{\"function\":\"main\"}", "DAG_CALL", "{\"op\":\"call\""},
	{"blocks_missing", "\"op\":\"while\"", "\"op\":\"barrier\"", "OP_OPERANDS", "{\"op\":\"barrier\""},
	{"blocks_too_many", "\"path\":\"main/t\"", "\"path\":\"main/t\",\"blocks\":[{\"args\":[],\"nodes\":[],\"results\":[]}]", "GRAPH_FIELD", "{\"op\":\"transpose\""},
	{"block_without_results", ",\"results\":[7]", "", "GRAPH_FIELD", "{\"args\":[{\"id\":5"},
	{"block_result_undefined", "\"results\":[7]", "\"results\":[12]", "GRAPH_ID", "{\"args\":[{\"id\":5"},
	{"block_of_other_types", "\"results\":[7]", "\"results\":[5]", "DAG_WHILE", "{\"op\":\"while\""},
	{"result_undefined", "{\"name\":\"y\",\"value\":16}", "{\"name\":\"y\",\"value\":17}", "GRAPH_ID", "{\"name\":\"y\",\"value\":17}"},
	{"result_without_value", "{\"name\":\"y\",\"value\":16}", "{\"name\":\"y\"}", "GRAPH_FIELD", "{\"name\":\"y\"}"},
	{"write_of_nothing", "\"state\":\"kept\"", "\"state\":\"lost\"", "DAG_NO_STATE", ""},
	{"write_undefined", "\"kept\",\"value\":14", "\"kept\",\"value\":40", "GRAPH_ID", "{\"state\":\"kept\""},
	{"write_without_state", "{\"state\":\"kept\",", "{", "GRAPH_FIELD", "{\"value\":14}"},
	{"write_of_another_type", "\"kept\",\"value\":14", "\"kept\",\"value\":13", "DAG_WRITE", "{\"name\":\"main\""},
	{"mesh_without_axes", "14}]}]}\n", "14}]}],\"mesh\":{}}", "GRAPH_FIELD", ""},
	{"mesh_field_unknown", "14}]}]}\n", "14}]}],\"mesh\":{\"axes\":[],\"devices\":2}}", "GRAPH_FIELD", ""},
	{"mesh_axis_of_size_0", "14}]}]}\n", "14}]}],\"mesh\":{\"axes\":[{\"name\":\"a\",\"size\":0}]}}", "DAG_MESH", ""},
	{"mesh_axis_unknown", "14}]}]}\n", "14}]}],\"mesh\":{\"axes\":[{\"name\":\"a\",\"size\":2}],\"states\":{\"kept\":[\"b\"]}}}", "DAG_SHARDING", "{\"name\":\"kept\""},
	{"mesh_name_unknown", "14}]}]}\n", "14}]}],\"mesh\":{\"axes\":[{\"name\":\"a\",\"size\":2}],\"states\":{\"keep\":[\"a\"]}}}", "DAG_SHARDING", ""},
	{"limit_string", "main/half", strings.Repeat("x", graphjson.MaxString+1), "GRAPH_LIMIT", "\"xxx"},
	{"limit_nesting", "\"init\":0", "\"init\":" + strings.Repeat("[", 300) + strings.Repeat("]", 300), "GRAPH_LIMIT", ""},
}

func TestMalformedDocuments(t *testing.T) {
	_, err := graphjson.Parse([]byte(good))
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, c := range badCases {
		t.Run(c.name, func(t *testing.T) {
			require.False(t, seen[c.name])
			seen[c.name] = true
			require.Equal(t, 1, strings.Count(good, c.old), "%q is replaced in one place", c.old)
			doc := strings.Replace(good, c.old, c.new, 1)
			g, err := graphjson.Parse([]byte(doc))
			require.Nil(t, g)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			var e *errs.Error
			require.ErrorAs(t, err, &e)
			switch c.place {
			case "":
			case "^$":
				require.EqualValues(t, len(doc), e.Offset)
			default:
				require.Equal(t, 1, strings.Count(doc[:min(len(doc), int(e.Offset)+len(c.place))], c.place), "%v", err)
				require.True(t, e.HasOffset && strings.HasPrefix(doc[e.Offset:], c.place), "%v", err)
			}
		})
	}
}

// FuzzParse looks for panics, and for documents that do
// not round-trip.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	for _, c := range badCases {
		f.Add([]byte(strings.Replace(good, c.old, c.new, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := graphjson.Parse(data)
		if err != nil {
			if errs.CodeOf(err) == "" || errs.CodeOf(err) == graphjson.CodeRule {
				t.Fatal(err)
			}
			return
		}
		doc, err := graphjson.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		back, err := graphjson.Parse(doc)
		if err != nil {
			t.Fatal(err)
		}
		again, err := graphjson.Marshal(back)
		if err != nil || string(again) != string(doc) {
			t.Fatalf("%v: %s became %s", err, doc, again)
		}
	})
}
