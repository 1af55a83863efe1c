/** Next calls this once, before the first request. Its router then sees the addresses that the API can answer, and handlers where requests come from. */
export async function register(): Promise<void> {
  // Next compiles this file for the edge as well, which has no such thing.
  // biome-ignore lint/style/noProcessEnv: the build puts the value here.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { reportSettings } = await import('@/lib/health/health')
    reportSettings()
    const { repairApiPaths } = await import('@/lib/http/api-path')
    repairApiPaths()
    const { noteSocketAddresses } = await import('@/lib/address/proxies')
    noteSocketAddresses()
  }
}
