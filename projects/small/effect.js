import { Effect } from 'effect';

const read = (path) =>
  path === '/absent'
    ? Effect.fail(new Error('absent'))
    : Effect.succeed({ path }).pipe(Effect.delay('5 millis'));

export default {
  fetch: (request) =>
    Effect.runPromise(
      read(new URL(request.url).pathname).pipe(
        Effect.match({
          onSuccess: (value) => Response.json(value),
          onFailure: ({ message }) => new Response(message, { status: 404 }),
        }),
      ),
    ),
};
