import { describeError, probes } from './stream-probes.js';

async function answer(name, request) {
  try {
    const got = await probes[name](request);
    return typeof got === 'string' ? got : Object.prototype.toString.call(got);
  } catch (error) {
    return `throws ${error?.name === undefined ? String(error) : describeError(error)}`;
  }
}

export default {
  fetch: async (request) =>
    new Response(await answer(decodeURIComponent(new URL(request.url).pathname.slice(1)), request)),
};
