import { relative } from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { API, type Project } from 'typescript/unstable/sync'

/** The project as the compiler sees it: syntax trees with types. */
export interface OpenProject {
  checker: Project['checker']
  /** The source files of these folders, by their path in the repository. */
  files: (...folders: string[]) => { path: string; tree: SourceFile }[]
  resolve: (handle: { resolve: (project: Project) => Node | undefined } | undefined) => Node | undefined
  close: () => void
}

/** Opens the repository's tsconfig.json with the TypeScript compiler. */
export function openProject(): OpenProject {
  const root = process.cwd()
  const api = new API({ cwd: root })
  const project = api.updateSnapshot({ openProjects: ['tsconfig.json'] }).getProjects()[0]
  if (!project) throw new Error('the compiler found no tsconfig.json')
  const { program, checker } = project
  const paths = program.getSourceFileNames().map((name) => ({ name, path: relative(root, name) }))
  return {
    checker,
    files: (...folders) =>
      paths
        .filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))
        .flatMap(({ name, path }) => {
          const tree = program.getSourceFile(name)
          return tree ? [{ path, tree }] : []
        }),
    resolve: (handle) => handle?.resolve(project),
    close: () => api.close(),
  }
}

/** Calls `visit` with a node and everything below it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  node.forEachChild((child) => {
    walk(child, visit)
    return undefined
  })
}

/** `path:line` of a node. */
export function place(path: string, tree: SourceFile, node: Node): string {
  return `${path}:${tree.text.slice(0, node.getStart(tree)).split('\n').length}`
}
