import { definePaths } from '@/lib/openapi/operation'
import { answerSchema, chatSchema, failureOf } from './schema'

export const assistantPaths = definePaths({
  '/api/ai/chat': {
    post: {
      contract: true,
      summary: 'Ask the assistant',
      description:
        'It replies in Spanish about what the caller may see. Without an enabled AI integration the response says ' +
        'so (`fallback`). With `Accept: text/event-stream` the reply is streamed: events `delta` ' +
        '(`{"content"}`), then one `done` with the JSON body or one `error` with the failure (`detail`: what the provider said); closing the ' +
        'connection stops the model.',
      tag: 'Assistant',
      auth: 'session',
      permission: 'canWorkInOffice',
      body: chatSchema,
      bodyExample: {
        message: '¿Cómo viene la noche?',
        history: [
          { role: 'user', content: 'Hola' },
          { role: 'assistant', content: 'Hola, ¿en qué te ayudo?' },
        ],
      },
      errors: {
        unauthorized: 'No autenticado',
        invalid: ({ path, message }) =>
          path === '' ? 'Mensaje requerido' : path === 'message' ? message : `${path}: ${message}`,
      },
      failure: failureOf,
      changes: true,
      rateLimited: true,
      headers: { Accept: '`text/event-stream` for a streamed reply' },
      responses: {
        200: {
          description: 'The reply, or what to do where no model is configured',
          schema: answerSchema,
          example: {
            success: true,
            content: 'Esta noche hay **24 reservas** en Retiro.',
            usage: { prompt_tokens: 812, completion_tokens: 96, total_tokens: 908 },
            sources: [{ type: 'location', id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10', label: 'Retiro' }],
          },
          otherForms: {
            'text/event-stream': {
              example:
                'event: delta\ndata: {"content":"Esta noche"}\n\nevent: done\ndata: {"success":true,"content":' +
                '"Esta noche…","usage":{"prompt_tokens":812,"completion_tokens":96,"total_tokens":908}}\n\n',
            },
          },
        },
      },
    },
  },
})
