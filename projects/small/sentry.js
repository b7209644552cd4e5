import * as Sentry from '@sentry/cloudflare';

const sent = [];
const options = () => ({
  dsn: 'https://key@sentry.example/1',
  transport: () => ({
    send: async (envelope) => (sent.push(envelope[1][0][0].type), {}),
    flush: async () => true,
  }),
});

export default Sentry.withSentry(options, {
  async fetch(request) {
    if (new URL(request.url).pathname === '/sent') return Response.json(sent);
    Sentry.captureMessage('hello');
    await Sentry.flush(1_000);
    return new Response('said');
  },
});
