const nested = (depth: number, inner: string) =>
  `${'{% for i in (1..100) %}'.repeat(depth)}${inner}${'{% endfor %}'.repeat(depth)}`
const doubled = (times: number) =>
  `{% assign a = "0123456789" %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(times)}`

/** Takes too much time, and little memory. */
export const SLOW_TEMPLATE = nested(2, '{%if 1%}{%endif%}'.repeat(570))

/** Templates that would take much time or memory, or what is not theirs. */
export const HOSTILE_TEMPLATES: [string, string][] = [
  ['nested loops', nested(4, '{{ first_name }}')],
  ['loops without output', nested(4, '{% assign x = "a" %}')],
  ['a long loop of little', SLOW_TEMPLATE],
  ['loops too deep', nested(30, 'x')],
  ['a huge range', '{% for i in (1..100000000) %}x{% endfor %}'],
  ['a range in a filter', '{{ "a" | append: (1..100000000) }}'],
  ['a range by variables', '{% assign n = 1000000000 %}{% assign a = (1..n) %}{{ a | size }}'],
  ['a range of fractions', '{% for i in (0.1..99999999.5) %}x{% endfor %}'],
  [
    'a replacement of everything',
    `{% assign a = "${'a'.repeat(9000)}" %}{{ a | replace: "a", a | replace: "a", a }}`,
  ],
  [
    'replacements of replacements',
    `{% assign a = "${'a'.repeat(900)}" %}${'{% assign a = a | replace: "a", a %}'.repeat(5)}{{ a }}`,
  ],
  [
    'splits and joins',
    `{% assign a = "${'a'.repeat(9000)}" %}${'{% assign a = a | split: "" | join: a %}'.repeat(5)}{{ a }}`,
  ],
  ['captures that double', `${doubled(40)}{{ a }}`],
  ['captures that double, unseen', doubled(40)],
  ['a padded date', `{{ "now" | date: "%999999999d" }}`],
  ['a date of many parts', `{{ "now" | date: "${'%c'.repeat(4900)}" }}`],
  ['a regular expression', `{{ "${'a'.repeat(40)}!" | split: "(a+)+$" | size }}`],
  ['unclosed outputs', '{{'.repeat(5000)],
  ['unclosed tags', '{%'.repeat(5000)],
  ['braces', '{'.repeat(10_000)],
  ['deep conditions', `${'{% if 1 %}'.repeat(470)}x${'{% endif %}'.repeat(470)}`],
  ['unclosed conditions', '{% if a %}'.repeat(1000)],
  ['deep parentheses', `{{ ${'('.repeat(9900)} }}`],
  ['deep properties', `{{ a${'[a'.repeat(4900)} }}`],
  ['a long condition', `{% if ${'a or '.repeat(1990)}a %}x{% endif %}`],
  ['long quotes', `{{ "${'\\"'.repeat(4900)}`],
  ['the prototype', '{{ first_name.constructor.constructor }}{{ __proto__ }}{{ "a".__proto__ }}'],
  ['a file', `{% include '/etc/passwd' %}`],
  ['a layout', `{% layout 'a' %}`],
  ['JSON of what there is', '{{ first_name | json }}'],
  ['numbers without end', '{{ 1 | divided_by: 0 }}{{ 1e308 | times: 1e308 | round: 9999 }}'],
]
