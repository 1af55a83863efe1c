// Stands in for the 'server-only' package, which throws outside a React server bundle.
export {}
