import { createElement as h, Suspense, use } from 'react';
import { renderToReadableStream } from 'react-dom/server';

function Later({ value }) {
  return h('b', null, use(value));
}

export default {
  async fetch(request) {
    const value = scheduler.wait(5).then(() => new URL(request.url).pathname);
    const page = h('main', null, h(Suspense, { fallback: 'waiting' }, h(Later, { value })));
    return new Response(await renderToReadableStream(page), { headers: { 'content-type': 'text/html' } });
  },
};
