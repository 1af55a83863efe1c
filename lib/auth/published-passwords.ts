/**
 * Passwords that stand in this repository: the demo's, those of examples and of tests. Whoever reads it can try them,
 * so nobody may choose one. tests/unit/published-passwords.test.ts finds those that are missing here.
 */
export const PUBLISHED_PASSWORDS: readonly string[] = [
  'mesa-demo-2026',
  'mesa-tests-2026',
  'lluvia tejado once gato',
  'una-frase-larga',
  'una-frase-nueva',
  'una-frase-de-ladron',
  'una-clave-muy-larga-2026',
  'otra-clave-muy-larga-2026',
  'another-password',
  'another-password-2026',
  'lolamarin1',
  'not-the-password',
  'wrong-password',
]
