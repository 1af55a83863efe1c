import { execFileSync } from 'node:child_process'

/** Builds the app these tests talk to; APP_BUILT=1 says that the build at hand is current. */
export default function build(): void {
  if (process.env.APP_BUILT === '1') return
  execFileSync('next', ['build'], {
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
