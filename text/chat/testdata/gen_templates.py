"""Writes templates.json: what Python's Jinja makes of chat templates, with the settings of Hugging Face's tokenizers.

    pip install jinja2==3.1.6
    python3 gen_templates.py > templates.json

The templates are written for this test. They have the forms, and use the parts of
Jinja, of those that files of Gemma, SmolLM, Llama, Mistral, Qwen and Phi hold.
"""
import json

import jinja2
import jinja2.ext
import jinja2.sandbox

TEMPLATES = {
    # One line, as SmolLM2 has it: a default system turn.
    "chatml": (
        "{% for m in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
        "{{ '<|im_start|>system\\nBe helpful.<|im_end|>\\n' }}{% endif %}"
        "{{'<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + '\\n'}}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"),
    # Many lines with dashes; the system turn goes before the first user turn; roles alternate.
    "turns": """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- if messages[0]['content'] is string -%}
        {%- set head = messages[0]['content'] + '

' -%}
    {%- else -%}
        {%- set head = messages[0]['content'][0]['text'] + '

' -%}
    {%- endif -%}
    {%- set rest = messages[1:] -%}
{%- else -%}
    {%- set head = "" -%}
    {%- set rest = messages -%}
{%- endif -%}
{%- for m in rest -%}
    {%- if (m['role'] == 'user') != (loop.index0 % 2 == 0) -%}
        {{ raise_exception("Turns of user and assistant must alternate") }}
    {%- endif -%}
    {%- if (m['role'] == 'assistant') -%}
        {%- set who = "model" -%}
    {%- else -%}
        {%- set who = m['role'] -%}
    {%- endif -%}
    {{ '<start_of_turn>' + who + '
' + (head if loop.first else "") }}
    {%- if m['content'] is string -%}
        {{ m['content'] | trim }}
    {%- elif m['content'] is iterable -%}
        {%- for part in m['content'] -%}
            {%- if part['type'] == 'text' -%}
                {{ part['text'] | trim }}
            {%- endif -%}
        {%- endfor -%}
    {%- else -%}
        {{ raise_exception("Neither text nor parts") }}
    {%- endif -%}
    {{ '<end_of_turn>
' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{'<start_of_turn>model
'}}
{%- endif -%}
""",
    # Blocks on lines of their own without dashes: trim_blocks and lstrip_blocks.
    "blocks": """{% if not add_generation_prompt is defined %}
  {% set add_generation_prompt = false %}
{% endif %}
{% set ns = namespace(found=false, n=0) %}
{% for m in messages %}
    {% if m.role == 'system' %}
        {% set ns.found = true %}
    {% endif %}
    {% set ns.n = ns.n + 1 %}
[{{ ns.n }}/{{ messages | length }} {{ m.role | upper }}{{ ' last' if loop.last }}]
    {{ m.content }}
{% endfor %}
{% if ns.found %}with{% else %}without{% endif %} system {{ eos_token }}
{# a remark #}
{% if add_generation_prompt %}
assistant:
{%- endif %}
""",
    # Headers, a date that may be missing, tests of none and defined, filters.
    "headers": """{{- bos_token }}
{%- if tools is not none and tools %}
{{- "tools" }}
{%- endif %}
{%- if not date_string is defined %}
{%- set date_string = "26 Jul 2024" %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|h|>system<|/h|>\\n\\nToday: " + date_string + "\\n" + system_message + "<|eot|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'tool' or 'tool_calls' in message) %}
    {{- '<|h|>' + message['role'] + '<|/h|>\\n\\n'+ message['content'] | trim + '<|eot|>' }}
    {%- elif message.tool_calls | length != 1 %}
    {{- raise_exception("one call only") }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|h|>assistant<|/h|>\\n\\n' }}
{%- endif %}
""",
    # Loops from behind, methods of strings, joins, defaults, ranges and macros.
    "methods": """{%- macro wrap(role, text='-') -%}<{{ role }}>{{ text }}</{{ role }}>{%- endmacro -%}
{%- for m in messages[::-1] -%}
{{ wrap(m.role, m.content.strip()) }}
{%- if m.content.startswith('H') and not m.content.endswith('?') %}!{% endif -%}
{%- endfor %}
{{ messages | map(attribute='role') | join(', ') }}|{{ missing | default('none given') }}|{{ messages[-1].content.split(' ')[0] }}
{%- for i in range(3) %}{{ i }}{{ ',' if not loop.last }}{% endfor %}
{{ messages[-1]['content'] | replace('e', '3') }} {{ 7 // 2 }} {{ 7 % 4 }} {{ 'a' ~ 1 }} {{ messages[0].content | tojson }}
{%- if messages | selectattr('role', 'equalto', 'user') | list | length > 1 %} many{% endif %}
""",
    "break": "{% for m in messages %}{% if loop.index > 2 %}{% break %}{% endif %}{% if m.role == 'system' %}{% continue %}{% endif %}{{ m.content }};{% endfor %}",
}

CONVERSATIONS = {
    "one": [("user", "Hello")],
    "system": [("system", "Answer in rhyme."), ("user", "  Why is the sky blue? \n")],
    "several": [("user", "Hi"), ("assistant", "Hello! <b>\"Quoted\"</b> & more"), ("user", "Qué tal, мир, 世界? 🎉")],
    "long": [("system", "S"), ("user", "1\n2"), ("assistant", "{{ 3 }}"), ("user", "H{% 4 %}")],
    "wrong": [("user", "a"), ("user", "b")],
}


def refuse(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(x, ensure_ascii=False):
    return json.dumps(x, ensure_ascii=ensure_ascii)


env = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[jinja2.ext.loopcontrols])
env.filters["tojson"] = tojson
env.globals["raise_exception"] = refuse


def render(source, turns, more):
    try:
        return {"text": env.from_string(source).render(
            messages=[{"role": r, "content": c} for r, c in turns], bos_token="<bos>", eos_token="<eos>",
            tools=None, documents=None, add_generation_prompt=more)}
    except jinja2.exceptions.TemplateError as e:
        return {"refused": str(e)}


cases = [dict(template=t, conversation=c, **{"continue": more}, **render(source, turns, more))
         for t, source in TEMPLATES.items() for c, turns in CONVERSATIONS.items() for more in (True, False)]
print(json.dumps({
    "origin": "Jinja %s, gen_templates.py" % jinja2.__version__, "templates": TEMPLATES,
    "conversations": {k: [{"role": r, "content": c} for r, c in v] for k, v in CONVERSATIONS.items()}, "cases": cases,
}, ensure_ascii=False, indent=1))
