"""Writes cases.json: what Python's Jinja makes of templates, with the settings of Hugging Face's tokenizers.

    pip install jinja2==3.1.6
    python3 gen_cases.py > cases.json

The templates are written for this test, by what templates of chat models use.
"""
import json

import jinja2
import jinja2.ext
import jinja2.sandbox

VALUES = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "  Hi <b>\"you\"</b> & 'me'\n"},
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1, "y": [True, None, "z"]}}}]},
        {"role": "tool", "content": "42", "name": "f"},
        {"role": "user", "content": [{"type": "text", "text": "Größe 世界"}, {"type": "image"}]},
    ],
    "tools": None, "flag": True, "n": 7, "s": "Hello World", "t": "a,b,,c", "empty": "", "nums": [3, 1, 2, 3],
    "d": {"b": 2, "a": 1, "items": 5}, "words": ["Bar", "foo", "Baz"], "deep": {"k": {"l": [{"m": "v"}]}},
    "uni": "Ünïcödé \u00df \U0001f389",
}

EXPRESSIONS = """
1 + 2 * 3
7 // 2
-7 // 2
7 // -2
-7 % 3
7 % -3
7 / 2
6 / 2
2 ** 10
2 ** -1
2 ** 3 ** 2
-2 ** 2
1 // 0
1 / 0
1 % 0
1.5 // 0
7.5 // 2
-7.5 % 2
1e3
1e16
1.0
0.1 + 0.2
1e-5
123456789012345.0
1_000
0x1f
True + 1
'a' + 'b'
'a' + 1
1 + 'a'
'a' ~ 1 ~ none ~ true ~ 1.0
'a' * 3
3 * 'a'
'a' * -1
[1] * 2
[1] + [2]
(1, 2) + (3,)
[1] + (2,)
'%s-%d-%%' % ('x', 3)
'%r' % 'x'
[1, 'a', none, true, 1.5, {'k': (1,)}, "it's", 'q"', "b'\\"", '\\n']
{'a': 1, 2: 'b', 1.5: none}
()
(1,)
1, 2
missing
missing.x
missing['x']
missing + 1
missing ~ 'x'
missing | length
missing | default('d')
missing | upper
missing()
missing == missing
missing in [1]
1 in missing
'x' if missing else 'y'
not missing
missing and missing.x
none.x
none['x']
none | default('d')
none | default('d', true)
'' | default('d')
'' | default('d', true)
'' | d('d', boolean=true)
d.a
d['a']
d.items is callable
d['items']
d.c
d.get('a')
d.get('zz')
d.get('zz', 3)
d.keys()
d.values()
d.items()
d.items() | list
d.keys() | list
d | dictsort
d | dictsort(by='value', reverse=true)
d | length
d | list
d | tojson
d | items | list
nums | sort
nums | sort(reverse=true)
words | sort
words | sort(case_sensitive=true)
nums | unique | list
nums | sum
nums | max
nums | min
nums | first
nums | last
nums | reverse | list
nums[::-1]
nums[1:]
nums[:-1]
nums[-2:]
nums[::2]
nums[5:1]
nums[3:0:-1]
nums[10]
nums[-1]
nums['x']
nums.0
nums | join('-')
nums | join
words | map('upper') | join(' ')
words | map('replace', 'B', 'b') | list
nums | select('gt', 2) | list
nums | reject('odd') | list
nums | select('divisibleby', 3) | list
messages | map(attribute='role') | list
messages | map(attribute='name', default='-') | list
messages | selectattr('role', 'equalto', 'user') | list | length
messages | selectattr('role', '==', 'user') | map(attribute='content') | first
messages | rejectattr('role', 'in', ['user', 'system']) | map(attribute='role') | list
messages | selectattr('tool_calls') | list | length
messages | selectattr('tool_calls', 'defined') | list | length
messages | length
messages | count
messages[0].role
messages[0]['role']
messages[-1]['content'][0].text
messages[2].tool_calls[0].function.arguments | tojson
messages[2].tool_calls[0]['function'] | tojson(indent=2)
messages[4] | tojson
messages[4] | tojson(ensure_ascii=true)
d | tojson(sort_keys=true)
d | tojson(separators=(',', ':'))
[] | tojson(indent=2)
{'a': [], 'b': {}} | tojson(indent=1)
1.0 | tojson
1e100 | tojson
'\\u2028<&>\\x01\\x7f' | tojson
missing | tojson
(1, 2) | tojson
{1: 2, none: 3, true: 4} | tojson
deep.k.l[0].m
deep | map('upper') | list
messages[1].content | trim
messages[1].content.strip()
messages[1].content.rstrip()
messages[1].content.lstrip()
'xxaxx'.strip('x')
'xxaxx' | trim('x')
'abc'.strip('ca')
t.split(',')
t.split(',', 1)
t.split(',')[-1]
t.split('')
' a  b '.split()
' a  b  c '.split(none, 1)
t.rsplit(',')
'a\\nb\\r\\nc\\n'.splitlines()
s.startswith('Hello')
s.startswith(('x', 'He'))
s.endswith('ld')
s.startswith(1)
s.upper()
s.lower()
s.title()
'hELLO wORLD-x'.title()
'hELLO wORLD-x' | title
s.capitalize()
'hELLO' | capitalize
s.replace('o', '0')
s.replace('o', '0', 1)
s | replace('l', 'L')
s | replace('l', 'L', 2)
s.replace('', '-')
s.find('o')
s.rfind('o')
s.find('q')
s.index('q')
s.count('o')
s.nothing
s.nothing()
s[0]
s[-1]
s[1:3]
s[::-1]
s[20]
uni[0]
uni[::-1]
uni | length
uni | upper
uni.lower()
uni.find('c')
uni
[uni]
s | length
s | reverse
s | list | length
s | first
s | last
s | wordcount
s | indent
'a\\nb\\n\\nc' | indent(2)
'a\\nb\\n\\nc' | indent(2, true)
'a\\nb\\n\\nc' | indent(2, first=true, blank=true)
'a\\nb' | indent('> ')
'x' | center(5)
'xy' | center(5)
'x' | center(4)
'abc'.partition('b')
'abc'.rpartition('z')
'12'.isdigit()
'1a'.isdigit()
'ab'.isalpha()
''.isalpha()
' '.isspace()
'AB'.isupper()
'a1'.isalnum()
','.join(['a', 'b'])
','.join([1])
'7'.zfill(3)
'-7'.zfill(4)
'a'.ljust(3, '.')
'a'.rjust(3)
'prefix'.removeprefix('pre')
'12' | int
'12x' | int
'12x' | int(5)
'1.9' | int
3.9 | int
-3.9 | int
none | int
'ff' | int(base=16)
' 8 ' | int
'1.5' | float
'x' | float
'x' | float(2.5)
2.5 | round
3.5 | round
2.675 | round(2)
2.5 | round(method='floor')
2.1 | round(0, 'ceil')
25 | round
-3 | abs
-3.5 | abs
5 | string
[1] | string
s | string | length
5 | list
'a<b>&"' | escape
'a<b>' | e
'a<b>' | safe
('a<' | safe) + '<&>'
'<"' + ('a<' | safe)
('a' | e) + ('<' | safe) + '<'
('<' | e) ~ '<'
'<' ~ ('<' | safe) ~ '<' | safe
(' <b> ' | safe) | trim
(' <b> ' | safe).strip() + '&'
('<b>' | safe) | replace('<', '[')
(s | safe).startswith('H')
(s | safe).find('o')
(s | safe).isdigit()
['<' | safe, '&'] | join('&')
{'a': '<' | safe} | tojson
('a' | safe) == 'a'
'a' in ('ab' | safe)
('ab' | safe) | length
('<' | safe) + 1
d | tojson | safe
'<' + (d | tojson | safe) + '>'
'a' ~ (d | tojson | safe)
('abc' | attr('upper'))()
[1, 2, 3, 4, 5] | batch(2) | list
[1, 2, 3] | batch(2, 'x') | list
range(3) | list
range(1, 4) | list
range(5, 0, -2) | list
range(3)
range(0, 6, 2)
range(3)[1]
range(0)
range(100001)
range(1, 2, 0)
dict(a=1, b='c')
dict(d, c=3)
namespace(a=1).a
namespace(a=1).b
x is defined
missing is defined
missing is not defined
missing is undefined
none is none
none is defined
n is number
n is integer
1.0 is integer
1.0 is float
true is integer
true is boolean
true is number
s is string
s is mapping
s is iterable
s is sequence
d is mapping
d is iterable
d is sequence
nums is sequence
nums is iterable
nums is mapping
nums is string
5 is iterable
none is iterable
missing is iterable
range is callable
s is callable
(nums | map('string')) is iterable
(nums | map('string')) is sequence
(nums | map('string')) | length
nums | map('string') | join
d.items() is sequence
3 is odd
3 is even
4 is even
-1 is odd
6 is divisibleby 3
6 is divisibleby(4)
'a' is in 'abc'
1 is in [1]
1 is not in [1]
3 is eq 3
3 is sameas 3
true is sameas true
1 is sameas true
true is true
1 is true
false is false
'ABC' is upper
'abc' is lower
1 is nothing_at_all
1 | nothing_at_all
1 == 1.0
1 == true
'1' == 1
[1] == [1]
[1] == (1,)
{'a': 1} == {'a': 1.0}
none == false
1 < 2 < 3
1 < 2 > 3
1 < 'a'
'a' < 'b'
'Z' < 'a'
[1, 2] < [1, 3]
none < 1
missing < 1
'a' in 'abc'
'' in ''
1 in 'abc'
'a' in d
'role' in messages[0]
'x' not in d
1 in 5
not true
not not 1
true and 0
0 or 'x'
1 and 2 or 3
1 or 1 // 0
0 and 1 // 0
not 1 == 2
'a' if true
'a' if false
'a' if false else 'b' if false else 'c'
('a' if true else 'b') ~ 'c'
-n
+n
-s
-none
(n)
n is odd and n > 3
'a' 'b'
"a\\tb\\\\n\\'\\"\\u00e9\\x41\\101\\q"
s | upper | lower | title
s|replace('World', 'There')|upper
(s ~ '!') | upper
s ~ '!' | upper
-1 | abs
1 + -1 | abs
[1, 2,]
{'a': 1,}
nums.append(1)
nums.index(2)
nums.count(3)
d.update({})
d.pop('a')
s.__class__
s | attr('__class__')
messages[0].content.split('.')[0].strip()
(messages[0].content or '') | length
messages[2].content or 'none'
messages[0].get('tool_calls') is none
messages[2]['tool_calls'] is iterable and messages[2]['tool_calls'] is not string
messages[4].content is string
messages[4].content[0]['type'] == 'text'
raise_exception('No: ' ~ n)
flag and tools is not none
loop
1 is number and 2 is number
{'a': {'b': [1, {'c': 2}]}}['a']['b'][1].c
'a.b.c'.split('.') | last
[[1, 2], [3]] | sum(start=[]) | list
messages | sum(attribute='nothing')
[{'v': 1}, {'v': 2}] | sum(attribute='v')
[{'v': 2}, {'v': 1}] | sort(attribute='v') | map(attribute='v') | list
['b', 'A'] | sort | join
[1, 'a'] | sort
[3, none] | max
[] | max
[] | first
[] | last
'' | first
{} | length
true | string
true ~ ''
1.5 | string
1e20 | string
100 | string
'abc' | list
'a' < 1
cycler('a', 'b').next()
9223372036854775807
'%s' % none
'%s %s' % ('a',)
'{}'.nothing
[1, 2][0:1] + [3]
'ab'[5:]
'ab'[-1:]
nums[none:2]
nums[::0]
nums['a':]
range(9)[2:5]
range(9)[::-1]
range(9)[1:8:3]
range(9)[-2:]
range(9)[20:]
range(9)[5:2]
range(10, 0, -3)[1:]
range(10, 0, -3)[::-2]
range(0)[1:2]
range(9)[::2] | list
range(9)[::0]
range(9)['a':]
range(9)[2:5][1]
range(9)[2:5] == [2, 3, 4]
range(9)[2:5] == range(2, 5)
range(0, 9, 3) | reverse | list
range(5).start
range(5).stop
range(5).step
range(1, 9, 2).stop
range(5)['stop']
range(5).index(3)
range(5).index(9)
range(5).count(3)
range(5).nothing
range(5).copy is defined
range(5) is sequence
d.items()[0:1]
d.keys().mapping is defined
'x'.format is defined
'x'.format is callable
'x'.swapcase is defined
'x'['format'] is defined
('x' | attr('format')) is defined
'x'.__len__ is defined
('x' | safe).striptags is defined
('x' | safe).upper is defined
('<b>' | safe)[0:2] + '<'
('<b>' | safe)[0] + '<'
('<b>' | safe)[::-1] + '<'
5 .real
5 .imag
true.real
(1.5).imag
5 .denominator
(1.5).denominator is defined
(1.5).hex is defined
5 .bit_length is defined
none.real is defined
d.fromkeys is defined
{'pop': 1}.pop is defined
{'pop': 1}['pop']
{'fromkeys': 1}.fromkeys is callable
{'copy': 1}.copy is callable
dict.fromkeys is defined
cycler.current is defined
range.start is defined
(nums | map('string')).send is defined
(nums | map('string')).nothing is defined
(nums | reverse).send is defined
(nums | map('string') | reverse) ~ ''
cycler('a', 'b').items
cycler('a', 'b').pos
cycler('a', 'b') is callable
cycler('a', 'b').nothing is defined
joiner('|').sep
joiner().used
joiner() is callable
namespace(a=1).b is defined
'\u00df' | capitalize
'\u00df'.capitalize()
'\u00df'.title()
'\u00dfa\u00df' | title
'\u0149x \ufb01x' | capitalize
'\u0149x \ufb01x'.title()
'\u01c4\u01c6'.title()
'\u01c4\u01c6' | capitalize
'\u01c6' | upper
'\u0130I' | lower
'\u0130I' | capitalize
'\u0391\u03a3' | lower
'\u0391\u03a3' | capitalize
'\u0391\u03a3'.title()
'\u0391\u03a3 \u03a3\u0391\u03a3.'.title()
'\u0391\u03a3 \u03a3\u0391\u03a3.' | title
'\u03a3' | capitalize
'\ufb03' | upper
'\u1e9e\u00df'.casefold()
'\u13a0\uab70\u13f8'.casefold()
'\u01c5'.isupper()
'\u01c5'.islower()
'\u00aa'.islower()
'\u2160'.isupper()
'\u24d0'.islower()
'\u2160' is upper
'A\u01c5' is upper
'\u00b2'.isdigit()
'\u2460'.isdigit()
'\u00bd'.isdigit()
'\u0663'.isdigit()
'\u00bd'.isalnum()
""".strip().split("\n")

# Whatever Python's values have, but what the sandbox keeps back, is defined.
for name, of in {"str": "'x'", "Markup": "('x' | safe)", "int": "5 ", "bool": "true", "float": "(1.5)", "none": "none", "list": "nums", "tuple": "(1, 2)",
                 "dict": "{}", "range": "range(3)", "keys": "d.keys()", "values": "d.values()", "items": "d.items()", "generator": "(nums | map('string'))",
                 "cycler": "cycler(1)", "joiner": "joiner()"}.items():
    value = jinja2.Environment().compile_expression(of, undefined_to_none=False)(nums=[1], d={"a": 1})
    EXPRESSIONS += ["%s.%s is defined" % (of, a) for a in dir(value) if not a.startswith("_")]

TEMPLATES = [
    "{% for m in messages %}{{ loop.index }}/{{ loop.index0 }}/{{ loop.revindex }}/{{ loop.revindex0 }}/{{ loop.first }}/{{ loop.last }}/{{ loop.length }} {% endfor %}",
    "{% for m in messages %}{{ loop.previtem.role if not loop.first }}<{{ m.role }}>{{ loop.nextitem.role if not loop.last }};{% endfor %}",
    "{% for m in messages if m.role == 'user' %}{{ loop.index }}{{ m.role }}{{ loop.last }}{% endfor %}",
    "{% for x in [] %}a{% else %}none{% endfor %}",
    "{% for x in missing %}a{% else %}none{% endfor %}",
    "{% for x in none %}a{% endfor %}",
    "{% for x in 5 %}a{% endfor %}",
    "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}",
    "{% for k, v in d | dictsort %}{{ k }}={{ v }};{% endfor %}",
    "{% for k in d %}{{ k }};{% endfor %}",
    "{% for c in 'héy' %}{{ c }};{% endfor %}",
    "{% for a, b in [(1, 2), (3, 4)] %}{{ a }}{{ b }}{% endfor %}",
    "{% for a, b in [(1, 2, 3)] %}{{ a }}{% endfor %}",
    "{% for x in nums %}{{ loop.cycle('a', 'b') }}{{ loop.changed(x) }}{% endfor %}",
    "{% for x in nums %}{% for y in nums %}{{ loop.index }}{% endfor %}{{ loop.index }};{% endfor %}",
    "{% for x in [[1, [2, [3]]], 4] recursive %}{% if x is iterable %}[{{ loop(x) }}]{% else %}{{ x }}@{{ loop.depth }}{% endif %}{% endfor %}",
    "{% for x in nums %}{% if loop.index == 2 %}{% continue %}{% endif %}{% if loop.index == 4 %}{% break %}{% endif %}{{ x }}{% endfor %}",
    "{% break %}",
    "{% set x = 1 %}{% for i in nums %}{% set x = x + i %}{{ x }},{% endfor %}{{ x }}",
    "{% set ns = namespace(x=1) %}{% for i in nums %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace() %}{% set ns.a = 1 %}{{ ns.a }}{{ ns.b is defined }}",
    "{% set x = {} %}{% set x.a = 1 %}",
    "{% set ns.x = 1 %}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}",
    "{% set a, b = 1 %}",
    "{% set a = 1, 2 %}{{ a }}",
    "{% set a %}text {{ n }}{% endset %}{{ a }}|{{ a | length }}",
    "{% set a | upper | trim %} text {% endset %}[{{ a }}]",
    "{% if n > 5 %}big{% elif n > 2 %}mid{% else %}small{% endif %}",
    "{% if missing %}a{% elif none %}b{% elif empty %}c{% elif [] %}d{% elif {} %}e{% elif 0 %}f{% else %}g{% endif %}",
    "{% if true %}{% set y = 1 %}{% endif %}{{ y }}",
    "{% macro m(a, b='B', c=a) %}[{{ a }}{{ b }}{{ c }}]{% endmacro %}{{ m(1) }}{{ m(1, 2) }}{{ m(1, c=3) }}{{ m(b=1, a=2) }}{{ m() }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(z=2) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}",
    "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, z=3) }}",
    "{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}body {{ n }}{% endcall %}",
    "{% macro m() %}<{{ caller('x') }}>{% endmacro %}{% call(a) m() %}body {{ a }}{% endcall %}",
    "{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}",
    "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}B{% endmacro %}{{ a() }}",
    "{% macro m() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}{% set x = 2 %}{{ m() }}",
    "{% macro m(k) %}{% if k > 0 %}{{ k }}{{ m(k - 1) }}{% endif %}{% endmacro %}{{ m(5) }}",
    "{% macro m() %}{% set inner = 1 %}{% endmacro %}{{ m() }}{{ inner is defined }}",
    "{% macro m(x) %}{{ x }}{% endmacro %}{{ m('a') ~ m('b') | upper }}",
    "{%- macro m(x) -%}\n  {{ x }}\n{%- endmacro -%}\n{{ m(1) }}",
    "{% filter upper %}abc {{ s }}{% endfilter %}",
    "{% filter replace('a', 'b') | upper %}aaa{% endfilter %}",
    "{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a is defined }}",
    "{% with %}{% set q = 1 %}{{ q }}{% endwith %}{{ q is defined }}",
    "{% raw %}{{ x }} {% if %}{% endraw %}!",
    "a {%- raw -%} {{ x }} {%- endraw -%} b",
    "{# remark #}a{#- r -#} b {# {{ x }} #}c",
    "  {# remark #}\na",
    "a\n  {% if true %}\nb\n  {% endif %}\nc\n",
    "a\n  {%+ if true %}\nb\n  {%- endif +%}\nc\n\n",
    "a \n {%- if true -%} \n b \n {%- endif -%} \n c",
    "a {{- n -}} b {{ n }} c",
    "x\n    {{ n }}\n    {{- n }}\ny",
    "  {% set a = 1 %}  {% set b = 2 %}\n{{ a }}{{ b }}",
    "\r\na\r\n{% if true %}\r\nb\r{% endif %}\r\n",
    "\n\n{% if true %}\n\n\nb{% endif %}\n\n\n",
    "{{ '{{' }}{{ '%}' }}{{ \"}}\" }}",
    "{{ {'a': {'b': 1}} }}{{ {'a': {'b': 1}}.a.b}}",
    "{{ messages[0]['content'] }}{{ '\n' }}|",
    "{% if n %}a", "{% for %}", "{% endif %}", "{{ n", "{{ }}", "{% %}", "{% nothing %}", "{{ n ]}}", "{{ (n }}", "{{ 'a }}", "{{ a b }}", "{{ 1 + }}", "{{ n | }}",
    "{{ n is }}", "{% if %}a{% endif %}", "{% set = 1 %}", "{% set 1 = 1 %}", "{% set none = 1 %}", "{% macro %}{% endmacro %}", "{{ f(a=1, 2) }}", "{# no end", "{% raw %}",
    "{{ n[ }}", "{{ n. }}", "{{ @ }}", "{% macro m(a=1, b) %}{% endmacro %}", "{% for x in nums %}{% endfor %}{% endfor %}", "{% else %}", "{{ a is b is c }}", "{% call n %}{% endcall %}",
    "{% if 0 %}{{ 1 | unknown }}{% endif %}", "{{ 1 | unknown if 0 else 2 }}", "{% for x in [] %}{{ 1 is unknown }}{% endfor %}", "{% if 1 %}{{ 1 is unknown }}{% endif %}", "{% raw %}a",
    "{{ '' }}", "", "\n", "{", "{ {", "}} %} #}", "{{ 1 }}}}", "{%if n%}a{%endif%}", "{{n}}{{-n}}",
    "{{ messages[0].role\n   | upper\n}}",
    "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.next() }}",
    "{% macro m(a, b=1) %}{{ varargs }}{% endmacro %}{{ m.name }} {{ m.arguments }} {{ m.catch_varargs }} {{ m.catch_kwargs }} {{ m.caller }} {{ m.explicit_caller }} {{ m }} {{ [m] }}",
    "{% macro m(caller=none) %}{{ kwargs }}{{ caller() if caller }}{% endmacro %}{{ m.caller }}{{ m.explicit_caller }}{{ m.catch_kwargs }}{{ m.nothing is defined }}{{ m is callable }}{{ m['name'] }}{{ m | attr('name') }}",
    "{% macro m() %}{{ caller.name }} {{ caller.arguments }} {{ caller }}{% endmacro %}{% call(a, b) m() %}x{% endcall %}",
    "{% set c = cycler('a', 'b') %}{% set x = c.next() %}{{ c.pos }}{{ c.current }}{{ c.reset() }}{{ c.pos }}",
    "{% set j = joiner() %}{{ j() }}{{ j.used }}{{ j() }}{{ j.sep }}",
    "{% for x in nums %}{{ loop.index.real }}{{ loop.nothing is defined }}{% endfor %}",
    "{% set j = joiner('|') %}{% for x in nums %}{{ j() }}{{ x }}{% endfor %}",
    "{% set g = nums | map('string') %}{{ g | join }}{{ g | join }}|",
    "{% if nums | select('gt', 100) %}always{% endif %}",
    "{% if strftime_now is defined %}{{ strftime_now('%d') }}{% else %}no date{% endif %}",
    "{% for t in messages[2].tool_calls %}{{ t.function.name }}({% for k, v in t.function.arguments.items() %}{{ k }}={{ v | tojson }}{% if not loop.last %}, {% endif %}{% endfor %}){% endfor %}",
    "{% set sys = messages[0] if messages[0].role == 'system' else none %}{{ sys.content if sys else 'x' }}{% set messages = messages[1:] %}{{ messages | length }}",
    "{% for m in messages %}{% if m.content is string %}{% set content = m.content %}{% else %}{% set content = '' %}{% for p in m.content %}{% if p.type == 'text' %}{% set content = content + p.text %}{% endif %}{% endfor %}{% endif %}[{{ content | trim }}]{% endfor %}",
    "{%- for m in messages %}\n    {%- if loop.first and m.role != 'system' %}\n        {{- 'default' }}\n    {%- endif %}\n    {{- '<' + m['role'] + '>\\n' }}\n    {%- if m.tool_calls %}{{ m.tool_calls | tojson(indent=4) }}{% endif %}\n{%- endfor %}\n{%- if add_generation_prompt is defined and add_generation_prompt %}{{ 'a' }}{%- endif %}\n",
    "{% set x = 'a' %}{{ x }}{% set x = x ~ 'b' %}{{ x }}{% with x = 'c' %}{{ x }}{% endwith %}{{ x }}",
    "{% for i in range(3) %}{% for j in range(i) %}{{ i }}{{ j }} {% endfor %}{% endfor %}",
    "{% for x in nums %}{{ x }}{{ ', ' if not loop.last else '.' }}{% endfor %}",
    "{{ messages | selectattr('role', 'equalto', 'user') | map(attribute='content') | list | tojson }}",
    "{% set parts = s.split(' ') %}{{ parts[0] }}{{ parts[-1] }}{{ parts | length }}{{ (parts | last).lower() }}",
    "{% set content = '<think>a</think>b' %}{% if '</think>' in content %}{{ content.split('</think>')[-1].lstrip('\\n') }}{{ content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') }}{% endif %}",
    "{% for m in messages[::-1] %}{% set index = (messages | length - 1) - loop.index0 %}{{ index }}{{ m.role }} {% endfor %}",
    "{% set ns = namespace(multi=true, last=messages | length - 1) %}{% for m in messages[::-1] %}{% if ns.multi and m.role == 'user' and m.content is string and not (m.content.startswith('<') and m.content.endswith('>')) %}{% set ns.multi = false %}{% set ns.last = messages | length - 1 - loop.index0 %}{% endif %}{% endfor %}{{ ns.last }}",
]


def refuse(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


env = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[jinja2.ext.loopcontrols])
env.filters["tojson"] = tojson
env.globals["raise_exception"] = refuse


def render(source):
    try:
        return {"template": source, "text": env.from_string(source).render(json.loads(json.dumps(VALUES)))}
    except (jinja2.exceptions.TemplateSyntaxError, SyntaxError) as e:
        return {"template": source, "fails": "syntax", "why": str(e)}
    except Exception as e:  # whatever Python throws ends a rendering
        return {"template": source, "fails": "render", "why": type(e).__name__ + ": " + str(e)}


if __name__ == "__main__":
    cases = [render(t) for t in ["{{ " + e + " }}" for e in EXPRESSIONS] + TEMPLATES]
    print(json.dumps({"origin": "Jinja %s, gen_cases.py" % jinja2.__version__, "values": VALUES, "cases": cases},
                     ensure_ascii=False, indent=1))
