import { initWasm, Resvg } from '@resvg/resvg-wasm';
import module from '@resvg/resvg-wasm/index_bg.wasm';

const ready = initWasm(module);

export default {
  async fetch() {
    await ready;
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="4" height="8" fill="red"/></svg>';
    return new Response(new Resvg(svg).render().asPng(), { headers: { 'content-type': 'image/png' } });
  },
};
