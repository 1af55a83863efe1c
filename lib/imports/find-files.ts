import 'server-only'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '@/lib/env'
import { IMPORT_FILES } from './files'

/** One of the predefined files, and whether it is where the import looks for it. */
export interface FoundFile {
  file: string
  location: string
  found: boolean
}

/** Which of the predefined files are there, and in which directory; null: the project's root. */
export async function findFiles(): Promise<{ directory: string | null; files: FoundFile[] }> {
  const directory = env().IMPORT_DIR
  const files = IMPORT_FILES.map(async ({ file, location }) => {
    const found = await stat(join(/* turbopackIgnore: true */ directory, file)).then(
      (entry) => entry.isFile(),
      () => false,
    )
    return { file, location, found }
  })
  return { directory: directory === '.' ? null : directory, files: await Promise.all(files) }
}
