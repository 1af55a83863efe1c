import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { IMPORT_FILES } from '@/lib/imports/files'

/** Builds the app these tests talk to; APP_BUILT=1 says that the build at hand is current. */
export default function build(): void {
  if (process.env.APP_BUILT === '1') return
  // As one deploys who has the customers' files: the build takes along those that are there.
  const placed = IMPORT_FILES.map(({ file }) => file).filter((file) => !existsSync(file))
  try {
    for (const file of placed) writeFileSync(file, 'email\n')
    execFileSync('next', ['build'], {
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } finally {
    for (const file of placed) rmSync(file)
  }
}
