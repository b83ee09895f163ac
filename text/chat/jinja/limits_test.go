package jinja

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// Templates out of files that mean harm. Each ends with JINJA_LIMIT, and takes no
// more memory than the limits let it.
func TestLimits(t *testing.T) {
	nested := func(open, close string, n int) string { return strings.Repeat(open, n) + strings.Repeat(close, n) }
	values := Map{{"s", "word word"}, {"nums", []any{1, 2, 3}}}
	for name, source := range map[string]string{
		"macro that calls itself":    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
		"two that call each other":   "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
		"macro in its own default":   "{% macro m(a=m()) %}{% endmacro %}{{ m() }}",
		"caller that calls":          "{% macro m() %}{% call m() %}{% endcall %}{{ caller() }}{% endmacro %}{% call m() %}{% endcall %}",
		"loop that goes on for ever": "{% set ns = namespace() %}{% set ns.l = [1] %}{% for x in ns.l recursive %}{{ loop(ns.l) }}{% endfor %}",
		"loops in loops":             nested("{% for a in range(60000) %}", "{% endfor %}", 3),
		"loop over its own text":     "{% set ns = namespace(s='ab') %}{% for a in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
		"sum that doubles":           "{% set ns = namespace(s='ab') %}{% for a in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
		"list that doubles":          "{% set ns = namespace(s=[1]) %}{% for a in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
		"block that doubles":         "{% set s = 'ab' %}" + strings.Repeat("{% set s %}{{ s }}{{ s }}{% endset %}", 60),
		"text times":                 "{{ 'x' * 1000000000 }}",
		"text times most":            "{{ 'xx' * 9223372036854775807 }}",
		"times text":                 "{{ 9223372036854775807 * 'xx' }}",
		"list times":                 "{{ [1] * 1000000000 }}",
		"replace":                    "{{ ('x' * 100000).replace('x', 'y' * 100000) }}",
		"replace filter":             "{{ ('x' * 100000) | replace('', 'y' * 100000) }}",
		"join":                       "{{ range(90000) | join('y' * 100000) }}",
		"join method":                "{{ ('y' * 100000).join('x' * 100000) }}",
		"center":                     "{{ 'x' | center(9223372036854775807) }}",
		"ljust":                      "{{ 'x'.ljust(1000000000) }}",
		"zfill":                      "{{ 'x'.zfill(9223372036854775807) }}",
		"indent":                     "{{ 'x' | indent(1000000000) }}",
		"indents":                    "{{ ('x\n' * 100000) | indent(100000) }}",
		"json indent":                "{{ [[1]] | tojson(indent=1000000000) }}",
		"json of one in many":        "{% set ns = namespace(s=[1]) %}{% for a in range(40) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s | tojson }}",
		"text of one in many":        "{% set ns = namespace(s=[1]) %}{% for a in range(40) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}",
		"equal of one in many":       "{% set n = namespace(s=[1], t=[1]) %}{% for a in range(40) %}{% set n.s = [n.s, n.s] %}{% set n.t = [n.t, n.t] %}{% endfor %}{{ n.s == n.t }}",
		"order of one in many":       "{% set n = namespace(s=[1], t=[1]) %}{% for a in range(40) %}{% set n.s = [n.s, n.s] %}{% set n.t = [n.t, n.t] %}{% endfor %}{{ n.s < n.t }}",
		"key of one in many":         "{% set n = namespace(s=(1,)) %}{% for a in range(40) %}{% set n.s = (n.s, n.s) %}{% endfor %}{{ {n.s: 1} }}",
		"deep list":                  "{% set ns = namespace(s=[]) %}{% for a in range(9000) %}{% set ns.s = [ns.s] %}{% endfor %}{{ ns.s }}",
		"deep json":                  "{% set ns = namespace(s=[]) %}{% for a in range(9000) %}{% set ns.s = [ns.s] %}{% endfor %}{{ ns.s | tojson }}",
		"namespace in itself":        "{% set ns = namespace() %}{% set ns.a = ns %}{{ ns }}",
		"batch filled":               "{{ [1] | batch(9223372036854775807, 1) | list }}",
		"dict of many":               "{% for a in range(90000) %}{% for b in range(90000) %}{% set d = {a: b} %}{% endfor %}{% endfor %}",
		"sort of sorts":              "{% for a in range(90000) %}{% set x = range(90000) | sort %}{% endfor %}",
		"split":                      "{% for a in range(90000) %}{% set x = ('a' * 100000).split('a') %}{% endfor %}",
		"format":                     "{% for a in range(90000) %}{% set x = '%s%s' % ('a' * 10000, 'b' * 10000) %}{% endfor %}",
		"slice":                      "{% for a in range(90000) %}{% set x = ('a' * 10000)[::-1] %}{% endfor %}",
		"search":                     "{% set x = 'a' * 100000 %}{% for a in range(90000) %}{% if 'ab' in x %}{% endif %}{% endfor %}",
		"index":                      "{% set x = 'a' * 100000 %}{% for a in range(90000) %}{{ x[99999] }}{% endfor %}",
		"text":                       "{% for a in range(90000) %}" + strings.Repeat("long ", 9000) + "{% endfor %}",
	} {
		t.Run(name, func(t *testing.T) {
			template, err := Parse(source)
			require.NoError(t, err)
			limits := Limits{Steps: 1 << 16, Bytes: 8 << 20}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = template.Render(context.Background(), values, limits)
			runtime.ReadMemStats(&after)
			require.Equal(t, CodeLimit, errs.CodeOf(err), "%v", err)
			// A scope, its map and the frames of a step are at most 1 KiB; a buffer that
			// grows was copied at most twice its length.
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(limits.Steps)*1024+4*uint64(limits.Bytes))
			require.Less(t, after.StackSys, uint64(64<<20))
		})
	}
}

// What is looked at is counted, too: each loop would otherwise end well within its limits.
func TestWorkIsCounted(t *testing.T) {
	name := strings.Repeat("n", MaxName)
	var params, given []string
	for i := range 300 {
		params, given = append(params, fmt.Sprint("a", i)), append(given, fmt.Sprint("a", 299-i, "=0"))
	}
	values := Map{{"x", strings.Repeat("a", 1<<20)}, {"d", Map{{"a", 1}}}, {"s", "a"}}
	loop := func(body string) string { return "{% for i in range(4000) %}" + body + "{% endfor %}" }
	for what, source := range map[string]string{
		"item":       loop("{% if d[x] %}{% endif %}"),
		"in":         loop("{% if x in d %}{% endif %}"),
		"get":        loop("{% if d.get(x) %}{% endif %}"),
		"safe item":  "{% set m = x | safe %}" + loop("{% if d[m] %}{% endif %}"),
		"namespace":  "{% set n = namespace(a=1) %}" + loop("{% if n[x] %}{% endif %}"),
		"method":     loop("{% if s[x] %}{% endif %}"),
		"length":     "{% set m = x | safe %}" + loop("{{ m | length }}"),
		"safe":       loop("{% set m = x | safe %}"),
		"float":      loop("{{ x | float }}"),
		"attribute":  loop("{% set m = [] | join(',', x) %}"),
		"undefined":  loop("{% set m = (" + strings.Repeat(name+", ", 9) + ") %}"),
		"attributes": loop("{% set m = (" + strings.Repeat("s."+name+", ", 9) + ") %}"),
		"parameters": "{% macro m(" + strings.Join(params, ", ") + ") %}{% endmacro %}{% for i in range(100) %}{{ m(" + strings.Join(given, ", ") + ") }}{% endfor %}",
	} {
		template, err := Parse(source)
		require.NoError(t, err, what)
		_, err = template.Render(context.Background(), values, Limits{Steps: 1 << 20, Bytes: 8 << 20})
		require.Equal(t, CodeLimit, errs.CodeOf(err), what)
	}
	// Keys of tuples in tuples grow by what the tuples hold.
	template, err := Parse("{% set n = namespace(s=(1,)) %}{% for a in range(40) %}{% set n.s = (n.s,) %}{% endfor %}{% set d = {n.s: 2} %}{{ d[n.s] }}")
	require.NoError(t, err)
	text, err := template.Render(context.Background(), nil, Limits{Steps: 1 << 10, Bytes: 1 << 16})
	require.NoError(t, err)
	require.Equal(t, "2", text)
}

// Widths at the ends of 64 bits.
func TestWidths(t *testing.T) {
	const least = "(-9223372036854775807 - 1)"
	for source, want := range map[string]string{
		"{{ 'a' | center(" + least + ") }}":                    "a",
		"{{ 'a'.zfill(" + least + ") }}":                       "a",
		"{{ 'a'.ljust(" + least + ") }}":                       "a",
		"{{ [1] | batch(" + least + ", 1) | list }}":           "[[1]]",
		"{{ 1 ** " + least + " }} {{ (-1) ** " + least + " }}": "1.0 1.0",
	} {
		template, err := Parse(source)
		require.NoError(t, err, source)
		text, err := template.Render(context.Background(), nil, enough)
		require.NoError(t, err, source)
		require.Equal(t, want, text, source)
	}
	template, err := Parse("{{ 'é' | center(9223372036854775807) }}")
	require.NoError(t, err)
	_, err = template.Render(context.Background(), nil, enough)
	require.Equal(t, CodeLimit, errs.CodeOf(err))
}

// Reading takes memory by the length of the source.
func TestParseIsLinear(t *testing.T) {
	for _, source := range []string{strings.Repeat("{%a%}", 52000), "{% raw %}" + strings.Repeat("{%a%}", 52000)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse(source)
		runtime.ReadMemStats(&after)
		require.Equal(t, CodeSyntax, errs.CodeOf(err))
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
	}
}

func TestNestingIsBounded(t *testing.T) {
	many := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	for name, source := range map[string]string{
		"parentheses": "{{ " + many("(", "1", ")", 60000) + " }}",
		"lists":       "{{ " + many("[", "1", "]", 60000) + " }}",
		"dicts":       "{{ " + many("{1:", "1", "}", 30000) + " }}",
		"not":         "{{ " + many("not ", "1", "", 60000) + " }}",
		"minus":       "{{ " + many("-", "1", "", 60000)[1:] + " }}",
		"else":        "{{ " + many("1 if 0 else ", "1", "", 20000) + " }}",
		"blocks":      many("{% if 1 %}", "1", "{% endif %}", 9000),
		"targets":     "{% for " + many("(", "a", ")", 60000) + " in b %}{% endfor %}",
		"attributes":  "{{ a" + many(".a", "", "", 60000) + " }}",
		"calls":       "{{ a" + many("()", "", "", 60000) + " }}",
		"filters":     "{{ a" + many("|e", "", "", 60000) + " }}",
		"tests":       "{{ a" + many("[1", "", "]", 40000) + " }}",
		"long":        strings.Repeat("a", MaxSource+1),
		"name":        "{{ " + strings.Repeat("a", MaxName+1) + " }}",
	} {
		_, err := Parse(source)
		require.Equal(t, CodeSyntax, errs.CodeOf(err), name)
		require.Less(t, len(err.Error()), 1000, name)
	}
	// What is long and not deep is taken.
	for _, op := range []string{"+", "~", "or", "and", "==", "*"} {
		template, err := Parse("{{ 0 " + strings.Repeat(op+" 0 ", 20000) + "}}")
		require.NoError(t, err)
		_, err = template.Render(context.Background(), nil, Limits{Steps: 1 << 20, Bytes: 16 << 20})
		require.NoError(t, err, op)
	}
}

// What Python has and this has not is refused, not rendered in another way.
func TestRefusals(t *testing.T) {
	for _, source := range []string{
		"{% include 'a' %}", "{% import 'a' as b %}", "{% extends 'a' %}", "{% block a %}{% endblock %}", "{% do 1 %}",
		"{% autoescape true %}{% endautoescape %}", "{{ f(*a) }}", "{{ f(**a) }}", `{{ '\N{DASH}' }}`, `{{ '\ud800' }}`, `{{ '\x4' }}`,
		"{{ 9223372036854775808 }}", "{{ 1e999 }}", "{{ a[1, 2] }}", "{{ a | urlize }}", "{{ a[1:2:3:4] }}", "{{ a.99999999999999999999 }}", "{%--raw%}{%endraw%}",
	} {
		_, err := Parse(source)
		require.Equal(t, CodeSyntax, errs.CodeOf(err), source)
	}
	for _, source := range []string{
		"{{ 9223372036854775807 + 1 }}", "{{ -9223372036854775807 - 2 }}", "{{ 9223372036854775807 * 2 }}", "{{ 3 ** 99 }}", "{{ 2 ** (-9223372036854775807 - 1) }}", "{{ 0 ** -1 }}", "{{ 2.0 ** 0.5 }}",
		"{{ (-9223372036854775807 - 1) // -1 }}", "{{ -(-9223372036854775807 - 1) }}", "{{ ('a' | safe) * 2 }}", "{{ ('a' | escape) % 'b' }}", "{{ ('a' | escape) | upper }}", "{{ ('a' | safe).upper() }}",
		"{{ '%5.2f' % 1 }}", "{{ 'a' is test }}", "{{ dict().items()[1:] }}",
		"{{ 'x'.format(1) }}", "{{ 'x'.format }}", "{{ 'x'.swapcase().y }}", "{{ 5 .bit_length() }}", "{{ dict.fromkeys('ab') }}", "{{ ('a' | safe).striptags() }}", "{{ 'a b'.rsplit(' ', 1) }}", "{{ range }}", "{{ [range] }}", "{{ 1.5 | round(999) }}",
	} {
		template, err := Parse(source)
		if err == nil {
			_, err = template.Render(context.Background(), nil, enough)
			require.Equal(t, CodeRender, errs.CodeOf(err), source)
			continue
		}
		require.Equal(t, CodeSyntax, errs.CodeOf(err), source)
	}
	long, err := Parse("{{ raise_exception('a' * 100000) }}")
	require.NoError(t, err)
	_, err = long.Render(context.Background(), nil, enough)
	require.Less(t, len(err.Error()), 1000)
	_, err = long.Render(context.Background(), Map{{"x", math.MaxInt8}, {"y", make(chan int)}}, enough)
	require.Equal(t, CodeRender, errs.CodeOf(err))
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	loops, err := Parse("{% for a in range(90000) %}{% endfor %}")
	require.NoError(t, err)
	_, err = loops.Render(ended, nil, enough)
	require.Equal(t, CodeRender, errs.CodeOf(err))
	require.ErrorIs(t, err, context.Canceled)
}

// A template is rendered by several at once, and leaves what it was given as it was.
func TestRenderTwice(t *testing.T) {
	template, err := Parse("{% set ns = namespace(n=n) %}{% set ns.n = ns.n + 1 %}{{ ns.n }}{% set n = 5 %}{{ n }}")
	require.NoError(t, err)
	for range 2 {
		text, err := template.Render(context.Background(), Map{{"n", 1}}, enough)
		require.NoError(t, err)
		require.Equal(t, "25", text)
	}
}

func FuzzRender(f *testing.F) {
	for _, source := range []string{
		"{% for m in messages %}{{ m.role }}{% endfor %}", "{% macro m(a) %}{{ m(a) }}{% endmacro %}{{ m(1) }}", "{{ 'x' * 99 | length }}",
		"{%- set ns = namespace(a=1) -%}{{ ns.a ~ s[1:] }}", "{# a #}{% raw %}{{{% endraw %}", "{{ nums | map('string') | join(',') | indent(2) }}",
		"{{ s.split(' ')[-1] | tojson }}", "{% filter upper %}a{% endfilter %}", "{% call(x) f() %}{% endcall %}", "{{ '%s' % s }}",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		template, err := Parse(source)
		if err != nil {
			require.Equal(t, CodeSyntax, errs.CodeOf(err))
			return
		}
		limits := Limits{Steps: 1 << 14, Bytes: 1 << 20}
		values := Map{{"messages", []any{Map{{"role", "user"}, {"content", "c"}}}}, {"s", "word word"}, {"nums", []any{1, 2, 3}}}
		text, err := template.Render(context.Background(), values, limits)
		require.LessOrEqual(t, len(text), limits.Bytes)
		if err != nil {
			require.Contains(t, []errs.Code{CodeRender, CodeLimit}, errs.CodeOf(err))
			require.NotContains(t, err.Error(), "the template failed")
		}
	})
}
