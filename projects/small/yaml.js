import { parse, stringify } from 'yaml';

export default {
  async fetch(request) {
    const value = parse((await request.text()) || 'a: [1, 2]\nb: &x {c: true}\nd: *x\n');
    return new Response(JSON.stringify(value) + '\n' + stringify(value));
  },
};
