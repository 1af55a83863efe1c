import { isAbsolute, normalize } from 'node:path'

/**
 * The files that POST /api/admin/import-csv without an upload always reports, one for each demo location. Each is called
 * like the file of any location: its name as a slug.
 */
export const IMPORT_FILES = [
  { file: 'casa-lumbre-chamberi.csv', location: 'Casa Lumbre Chamberí' },
  { file: 'casa-lumbre-triana.csv', location: 'Casa Lumbre Triana' },
  { file: 'marisma-cabanyal.csv', location: 'Marisma Cabanyal' },
  { file: 'marisma-las-canteras.csv', location: 'Marisma Las Canteras' },
  { file: 'taberna-nebula-gracia.csv', location: 'Taberna Nébula Gràcia' },
] as const

/**
 * What a build takes along for the import, as globs: the CSV files of a folder in the project, or the predefined ones in
 * its root. A folder elsewhere is on the server already.
 */
export function importGlobs(directory: string): string[] {
  if (directory === '') return IMPORT_FILES.map(({ file }) => `./${file}`)
  const path = normalize(directory).replaceAll('\\', '/').replace(/\/$/, '')
  return isAbsolute(path) || path.startsWith('..') ? [] : [`./${path}/*.csv`]
}
