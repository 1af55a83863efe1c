type AskForCode = () => Promise<boolean>

let handler: AskForCode | null = null

/**
 * Registers the dialog that asks for a code of the second factor on this page. Returns a function that unregisters
 * it.
 */
export function onAskForCode(ask: AskForCode): () => void {
  handler = ask
  return () => {
    handler = null
  }
}

/** Asks for a code of the second factor. Resolves to false when the person cancels, or no dialog is registered. */
export async function askForCode(): Promise<boolean> {
  return handler ? handler() : false
}
