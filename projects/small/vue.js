import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';

export default {
  async fetch(request) {
    const app = createSSRApp({
      data: () => ({ path: new URL(request.url).pathname }),
      render() {
        return h('p', { class: 'path' }, this.path);
      },
    });
    return new Response(await renderToString(app));
  },
};
