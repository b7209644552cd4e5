import { createComponent, createSignal } from 'solid-js';
import { renderToStringAsync, ssr } from 'solid-js/web';

function Path(props) {
  const [path] = createSignal(props.path);
  return ssr(['<p>', '</p>'], path());
}

export default {
  fetch: async (request) =>
    new Response(
      await renderToStringAsync(() => createComponent(Path, { path: new URL(request.url).pathname })),
    ),
};
