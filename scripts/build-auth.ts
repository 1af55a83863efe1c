// `npm run auth:build`: the program of Supabase Auth that the tests on Postgres run, unless it is there already.
import { authBinary } from '../tests/support/postgres/auth-binary'

try {
  console.log(`Supabase Auth: ${await authBinary()}`)
} catch (error) {
  const { message, stderr } = error as Error & { stderr?: string }
  console.error(stderr ? `${message}\n${stderr}` : message)
  process.exitCode = 1
}
