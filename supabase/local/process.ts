/** Runs a server program: `start` resolves to what closes it, which SIGTERM or SIGINT do. A failed start ends the process with 1. */
export async function runServer(start: () => Promise<() => Promise<unknown>>): Promise<void> {
  try {
    const close = await start()
    const stop = async () => {
      await close()
      process.exit(0)
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
