import { gunzipSync, gzipSync, strFromU8, strToU8, unzlibSync, zlibSync } from 'fflate';

export default {
  async fetch(request) {
    const text = new URL(request.url).pathname.repeat(100);
    const stream = new Blob([gzipSync(strToU8(text), { mtime: 0 })]).stream();
    const native = await new Response(stream.pipeThrough(new DecompressionStream('gzip'))).text();
    return Response.json([
      strFromU8(gunzipSync(gzipSync(strToU8(text)))) === text,
      strFromU8(unzlibSync(zlibSync(strToU8(text)))) === text,
      native === text,
    ]);
  },
};
