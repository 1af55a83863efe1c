type Ask = () => Promise<boolean>

let ask: Ask | null = null

/** Sets who asks for the code on this page; gives what takes it back. */
export function onAskForCode(handler: Ask): () => void {
  ask = handler
  return () => {
    ask = null
  }
}

/** Has the person confirm with a code of the second factor; false when they would not, or nothing here can ask. */
export async function askForCode(): Promise<boolean> {
  return ask ? ask() : false
}
