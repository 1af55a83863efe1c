// `npm run test:e2e:at -- 2026-12-31T22:53Z [files]`: the browser tests with every clock at another time, by
// libfaketime (Debian's package `faketime`). Around New Year, a service's end or a clock change is where pages break.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const [at = '', ...files] = process.argv.slice(2)
const offset = Math.round((Date.parse(at) - Date.now()) / 1000)
const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
if (Number.isNaN(offset)) throw new Error(`Not an instant such as 2026-12-31T22:53Z: "${at}"`)
if (!library) throw new Error('libfaketime is missing: apt-get install faketime')
const { status } = spawnSync('tsx', ['tests/e2e/run.ts', ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    LD_PRELOAD: library,
    FAKETIME: `${offset < 0 ? '' : '+'}${offset}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    CLOCK_OFFSET_SECONDS: String(offset),
  },
})
process.exit(status ?? 1)
