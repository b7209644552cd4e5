import { createRequestHandler } from '@remix-run/cloudflare';
// The command writes it.
// @ts-ignore
import * as build from './build/server';

const answer = createRequestHandler(build);

export default {
  fetch: (request: Request, env: object, ctx: object): Promise<Response> =>
    answer(request, { cloudflare: { env, ctx } }),
};
