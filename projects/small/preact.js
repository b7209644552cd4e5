import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';

export default {
  fetch: (request) =>
    new Response(renderToString(h('p', { class: 'path' }, new URL(request.url).pathname, ' & more'))),
};
