// `npm run auth:build`: builds Supabase Auth for the tests on Postgres, unless it is already built.
import { authBinary } from '../tests/support/postgres/auth-binary'

try {
  console.log(`Supabase Auth: ${await authBinary()}`)
} catch (error) {
  const { message, stderr } = error as Error & { stderr?: string }
  console.error(stderr ? `${message}\n${stderr}` : message)
  process.exitCode = 1
}
