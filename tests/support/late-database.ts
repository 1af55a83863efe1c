import { afterAll, vi } from 'vitest'

// Imported first by a file whose answers must not depend on when the database answers: on a machine that many share, late.
vi.doMock('@/lib/db/patient-fetch', async (original) => ({
  ...(await original<typeof import('@/lib/db/patient-fetch')>()),
  patientFetch: () => fetch,
}))
afterAll(() => {
  // The files that follow in this process have their limits again.
  vi.doUnmock('@/lib/db/patient-fetch')
})
