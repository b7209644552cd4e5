/** What the listeners are timed with: an answer of a few bytes, JSON there and back, and a stream of 16 pieces. */
const piece = new TextEncoder().encode('x'.repeat(1024));

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/echo') return Response.json(await request.json());
    if (pathname !== '/stream') return new Response('hello', { headers: { 'x-path': pathname } });
    let left = 16;
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (left-- > 0) controller.enqueue(piece);
          else controller.close();
        },
      }),
    );
  },
};
