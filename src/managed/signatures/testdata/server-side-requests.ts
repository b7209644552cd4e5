import { type Cases, agent, form, json, query } from '../../testing.ts';

export const serverSideRequestsCases: Readonly<Record<string, Cases>> = {
  '100057': {
    hits: [
      query('http://169.254.169.254/latest/meta-data/iam/', 'url'),
      json({ webhook: 'http://metadata.google.internal/computeMetadata/v1/' }),
      form({ url: 'http://x@169.254.169.254/' }),
    ],
    misses: [query('169.254.169.254 explained'), json({ url: 'https://metadata.example.com/' })],
  },
  '100057B': {
    hits: [
      query('http://2852039166/', 'url'),
      json({ u: 'http://0x7f000001:8080/' }),
      query('http://[::ffff:127.0.0.1]/'),
      query('http://127.1/'),
    ],
    misses: [query('https://example.com/2852039166'), json({ u: 'http://127.10.example/' })],
  },
  '100058': {
    hits: [
      query('gopher://127.0.0.1:6379/_INFO', 'url'),
      query('dict://127.0.0.1:11211/stats'),
      query('ldap://evil.example/a'),
    ],
    misses: [query('gopher: an animal'), query('https://example.com/dict'), query('sftp server')],
  },
  '100058B': {
    hits: [json({ url: 'gopher://127.0.0.1:6379/_SET' }), form({ u: 'jar:http://evil.example/x.jar!/a' })],
    misses: [form('The gopher protocol, gopher://example.com, is old'), json({ jar: 'http://a.example/' })],
  },
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
