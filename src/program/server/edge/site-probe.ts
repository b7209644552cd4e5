/**
 * Probes sites from outside: requests an origin's first page before it is set, and sends test requests through our own
 * edge. An origin is only requested at addresses that the edge may connect to, which are checked when its name is
 * resolved, so the probe reveals no more about the network of the server than setting the origin does.
 */
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { portOf } from '#base';
import { scanTls } from '#certificates';
import type { SiteProbe } from '#control';
import { checkEndpoint, lookUpAllowed, normaliseHost, ObstacleError, OriginRules, type OriginRulesOptions } from '#outbound';
import type { EdgeUrls } from './served-edge.ts';

/** A user waits for it while typing. */
const answerMsMax = 4_000;

const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: is the application running?',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ETIMEDOUT: `It did not answer within ${answerMsMax / 1000} s.`,
  EHOSTUNREACH: 'There is no route to that address from here.',
  ENETUNREACH: 'There is no route to that address from here.',
};

export interface SiteProbeOptions {
  readonly origins: OriginRulesOptions;
  readonly edgeUrls: () => EdgeUrls;
}

export function createSiteProbe({ origins, edgeUrls }: SiteProbeOptions): SiteProbe {
  const rules = new OriginRules(origins);
  return {
    get edgeUrl() {
      return edgeUrls().edge;
    },
    async askOrigin(text) {
      const failed = (sentence: string) => ({ answers: false, status: null, sentence });
      const url = URL.parse(text);
      if (url === null || !/^https?:$/.test(url.protocol))
        return failed('Write a URL that begins with http:// or https://.');
      try {
        const { statusCode: status = 0 } = await askOnce(url, rules);
        return { answers: true, status, sentence: `It answers with ${status}.` };
      } catch (error) {
        if (error instanceof ObstacleError) return failed(error.message);
        const { code = '', message } = error as NodeJS.ErrnoException;
        return failed(failures[code] ?? `It does not answer: ${message}.`);
      }
    },
    async visit(host, path) {
      const { edge: url } = edgeUrls();
      if (url === undefined) return undefined;
      const { hostname, port } = new URL(url);
      const headers = { host, 'user-agent': 'Gatehouse test' };
      const answer = await send(requestHttp, { hostname: normaliseHost(hostname), port, path, headers });
      return { status: answer.statusCode ?? 0, ray: answer.headers['cf-ray']?.toString() ?? null };
    },
    async scanTls(host) {
      const { edge_https: url } = edgeUrls();
      const seen =
        url === undefined ? 'the edge has no port for HTTPS: set edge_https_port' : await scan(url, host);
      if (typeof seen !== 'string') return seen;
      return { ...nothingSeen, host, problems: [seen] };
    },
  };
}

type Scanned = Awaited<ReturnType<SiteProbe['scanTls']>>;

const nothingSeen = {
  protocols: [],
  applications: [],
  resumes_sessions: false,
  chain: [],
  expires_in_days: null,
} as const;

/** Returns the reason if there is no result. */
async function scan(url: string, host: string): Promise<Scanned | string> {
  const { hostname, port } = new URL(url);
  const target = { host, address: normaliseHost(hostname), port: Number(port), ca: undefined };
  try {
    const { connected_to: _, protocols, ...seen } = await scanTls(target, Date.now());
    return {
      ...seen,
      protocols: Object.entries(protocols).map(([version, ciphers]) => ({ version, ciphers })),
    };
  } catch (error) {
    return `no TLS with ${host}: ${(error as Error).message}`;
  }
}

async function askOnce(url: URL, rules: OriginRules): Promise<IncomingMessage> {
  const port = portOf(url);
  const hostname = normaliseHost(url.hostname);
  checkEndpoint(rules, hostname, port);
  return await send(url.protocol === 'https:' ? requestHttps : requestHttp, {
    hostname,
    port,
    path: `${url.pathname}${url.search}`,
    ...(isIP(hostname) === 0 ? { lookup: lookUpAllowed(rules, port) } : {}),
  });
}

/** The head of the answer: its body is not read. */
async function send(request: typeof requestHttp, options: RequestOptions): Promise<IncomingMessage> {
  const sent = request({ ...options, agent: false, signal: AbortSignal.timeout(answerMsMax) }).end();
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError' || (error as Error).name === 'AbortError';
    throw isLate ? Object.assign(new Error('it is late', { cause: error }), { code: 'ETIMEDOUT' }) : error;
  } finally {
    // Errors after the head are irrelevant.
    sent.on('error', () => {}).destroy();
  }
}
