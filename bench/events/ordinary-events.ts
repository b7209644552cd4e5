/**
 * Typical events of a site, created by the real firewall with their explanations: visitors and scanners, several rules,
 * of which some decide by a score. The seed determines everything.
 */
import { createFirewall } from '../../src/traffic/edge.ts';
import type { RecordedEvent } from '../../src/traffic/events.ts';

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'python-requests/2.32.3',
  'curl/8.5.0',
];
const probes = [
  '/.env',
  '/.git/config',
  '/wp-login.php',
  '/admin/index.php',
  '/cgi-bin/luci',
  '/phpmyadmin/',
];
const attacks = ["1' OR '1'='1", '<script>alert(1)</script>', '../../../../etc/passwd', '${jndi:ldap://x/a}'];
const sections = ['products', 'categories', 'articles', 'account', 'search', 'media'];

export interface OrdinaryOptions {
  readonly count: number;
  readonly seed: number;
  readonly startMs: number;
  readonly perSecond: number;
}

/** About as many events as requested: a request may trigger several rules, or none. */
export async function createOrdinaryEvents(options: OrdinaryOptions): Promise<RecordedEvent[]> {
  const { count, seed, startMs, perSecond } = options;
  const events: RecordedEvent[] = [];
  await using firewall = createFirewall({
    rules: [
      {
        expression: 'http.request.uri.path contains "/admin" or http.request.uri.path contains "/.env"',
        action: 'block',
        description: 'no administration from outside',
        ref: 'admin',
      },
      {
        expression: 'ip.src in {203.0.113.0/24 198.51.100.0/25}',
        action: 'managed_challenge',
        description: 'networks with many scanners',
      },
      {
        expression: 'http.user_agent contains "python" or http.user_agent contains "curl"',
        action: 'log',
        description: 'scripts',
      },
      { expression: 'starts_with(http.request.uri.path, "/search")', action: 'log', description: 'searches' },
    ],
    managed: true,
    onEvent: (event, judged) =>
      void events.push(judged === undefined ? { event } : { event, judged: JSON.stringify(judged) }),
  });
  const random = createRandom(seed);
  for (let index = 0; events.length < count; index++) {
    const receivedAt = startMs + Math.floor((events.length / perSecond) * 1_000);
    const decision = await firewall.judge({ ...createRequest(random), receivedAt });
    decision.report(decision.action === 'pass' ? 200 : 403);
    if (index % 100 === 0) await firewall.flush();
  }
  await firewall.flush();
  return events.slice(0, count);
}

type Random = (below: number) => number;

function createRequest(random: Random): { url: string; headers: Record<string, string>; ip: string } {
  const pick = (list: readonly string[]): string => list[random(list.length)]!;
  const kind = random(10);
  const item = `/${pick(sections)}/${random(40)}/${random(100_000)}-item.html`;
  const path =
    kind < 4
      ? pick(probes)
      : kind < 6
        ? `/search?q=${encodeURIComponent(pick(attacks))}&page=${random(50)}`
        : `${item}?session=${random(2 ** 30).toString(36)}`;
  const ip =
    kind % 2 === 0
      ? `203.0.113.${random(256)}`
      : `${1 + random(220)}.${random(256)}.${random(256)}.${random(256)}`;
  return {
    url: `https://shop.example${path}`,
    headers: {
      'user-agent': pick(agents),
      ...(random(2) === 0 ? { referer: `https://shop.example/${pick(sections)}/${random(40)}` } : {}),
    },
    ip,
  };
}

/** Mulberry32. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
