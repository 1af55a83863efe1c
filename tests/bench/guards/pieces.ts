/** What a CSV file may consist of to make a reader go back over it again and again. */
export const CSV_PIECES = [
  '"a;b\n',
  '"a"b\n',
  'a;b\n"c\n',
  '";\n',
  '""\n',
  '"a\n""\n""\n',
  'a""b\n',
  '"',
  '"\n',
  ';',
]

/** The same for a Markdown text. */
export const MARKDOWN_PIECES = [
  '**a ',
  '*a ',
  '_a ',
  '`',
  '`` `',
  '[',
  '[a](',
  '![',
  '<',
  '> ',
  '- ',
  '1. ',
  '|a',
  '| ',
  '#',
  '~~',
  '((',
  '> - 1. ',
  '*a _b ',
  'https://',
  '\\',
  '---\n',
  '|-\n',
  ' ',
]

/** Passwords for which an estimate finds a great many ways to guess them. */
export const STRANGE_PASSWORDS = ['aB1!'.repeat(18), 'p4ssw0rd'.repeat(9), '(){}[]|!1@4$53€0+7%2#'.repeat(3)]
