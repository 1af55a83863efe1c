// Loaded with `--import` into our own processes that run the app's modules: there `server-only` has nothing to guard.
// Next's own answer, the condition `react-server`, would take `react-dom/server` away from e-mails.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'server-only'
      ? { url: 'data:text/javascript,', format: 'module', shortCircuit: true }
      : next(specifier, context),
})
