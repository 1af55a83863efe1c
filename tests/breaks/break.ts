/** A slip that a colleague could make, and the tests that must find it. */
export interface Break {
  name: string
  kind: 'policy' | 'code' | 'page'
  file: string
  /** Stands in the file exactly once. */
  find: string
  replace: string
  noticedBy: Finders
  /** What found it in an older tree (`--tree`), where that is something else. */
  noticedByBefore?: Finders
}

/** The test files that must find a break, by path; those of the browser end in `.spec.ts`. */
export interface Finders {
  files: readonly string[]
  /** A regular expression: only the tests with such names count. Required in the browser, where several breaks share a build. */
  tests?: string
  /** A regular expression: what a failing test must say. Tells the breaks of one build apart. */
  says?: string
}
