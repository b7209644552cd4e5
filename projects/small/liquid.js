import { Liquid } from 'liquidjs';

const engine = new Liquid();

export default {
  fetch: async (request) =>
    new Response(
      await engine.parseAndRender('{% for n in list %}{{ n | times: 2 }} {% endfor %}{{ path | upcase }}', {
        list: [1, 2, 3],
        path: new URL(request.url).pathname,
      }),
    ),
};
