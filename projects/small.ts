/** Small programs, each of one package, and what they answer: the files of `small/`. */

interface Question {
  readonly path: string;
  readonly body?: string;
  readonly status?: number;
  readonly answer: RegExp;
}

const users: Question = { path: '/users/5', answer: /^\{"id":"5"/ };
const newUser: Question = { path: '/users', body: '{"name":"Ada"}', status: 201, answer: /^Ada$/ };

export const smallPrograms: Readonly<Record<string, readonly Question[]>> = {
  express: [users, newUser, { path: '/absent', status: 404, answer: /Cannot GET \/absent/ }],
  koa: [{ path: '/a?b=1', answer: /^\{"path":"\/a","query":\{"b":"1"\}\}$/ }],
  fastify: [users, newUser, { path: '/absent', status: 404, answer: /Route GET:\/absent not found/ }],
  'itty-router': [users, { path: '/absent', status: 404, answer: /nothing here/ }],
  chanfana: [users, { path: '/openapi.json', answer: /"\/users\/\{id\}"/ }],
  trpc: [
    {
      path: `/trpc/user?input=${encodeURIComponent('{"json":{"id":"5"}}')}`,
      answer: /"json":\{"id":"5","at":"1970-01-01T00:00:00\.005Z"\}/,
    },
    { path: '/trpc/absent', status: 404, answer: /No procedure found/ },
  ],
  yoga: [
    {
      path: `/?query=${encodeURIComponent('{ user(id: "5") { name } }')}`,
      answer: /^\{"data":\{"user":\{"name":"user 5"\}\}\}$/,
    },
  ],
  h3: [users, { path: '/absent', status: 404, answer: /404/ }],
  elysia: [
    users,
    { ...newUser, status: 200 },
    { path: '/users', body: '{}', status: 422, answer: /validation/ },
  ],
  jose: [{ path: '/a', answer: /^\{"path":"\/a","alg":"HS256"\}$/ }],
  xstate: [
    { path: '/', answer: /^"green"$/ },
    { path: '/', answer: /^"yellow"$/ },
  ],
};
