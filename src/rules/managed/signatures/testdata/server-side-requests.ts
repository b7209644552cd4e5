import { type Cases, agent, json, query } from '../../testing.ts';

export const serverSideRequestsCases: Readonly<Record<string, Cases>> = {
  '100059': {
    hits: [query('http://abc123.oast.fun/'), agent('x.interact.sh'), json({ u: '//q.burpcollaborator.net' })],
    misses: [query('oast.fun'), query('boast.fun story'), json({ u: 'https://toast.me.example' })],
  },
  '100060': {
    hits: [query('http://localhost:8080/admin', 'url'), query('http://127.0.0.1/', 'u')],
    misses: [query('https://localhost.example.com/', 'url'), query('localhost')],
  },
  '100060B': {
    hits: [query('http://192.168.0.1/', 'url'), query('http://10.1.2.3:80/', 'url')],
    misses: [query('http://192.0.2.1/', 'url'), query('http://172.32.0.1/', 'url')],
  },
};
