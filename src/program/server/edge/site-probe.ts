/**
 * Probes sites from outside: requests an origin's first page before it is set, and sends test requests through our own
 * edge. An origin is only requested at addresses that the edge may connect to, which are checked when its name is
 * resolved, so the probe reveals no more about the network of the server than setting the origin does.
 */
import { scanTls } from '#certificates';
import type { SiteProbe } from '#control';
import {
  normaliseHost,
  ObstacleError,
  obstacleTexts,
  openRequest,
  operatorRules,
  OriginRules,
  type OriginRulesOptions,
  type OutboundAnswer,
} from '#outbound';
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
        const { status } = await ask(url.href, rules);
        return { answers: true, status, sentence: `It answers with ${status}.` };
      } catch (error) {
        if (error instanceof ObstacleError) return failed(`This address ${obstacleTexts[error.obstacle]}.`);
        const { code = '', message } = error as NodeJS.ErrnoException;
        return failed(failures[code] ?? `There is ${message}.`);
      }
    },
    async visit(host, path) {
      const { edge: url } = edgeUrls();
      if (url === undefined) return undefined;
      const sent = { host, 'user-agent': 'Gatehouse test' };
      const { status, headers } = await ask(new URL(url).origin + path, operatorRules, sent);
      return { status, ray: headers['cf-ray']?.toString() ?? null };
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

/** The head of the answer: its body is not read. */
async function ask(
  url: string,
  rules: OriginRules,
  headers = {},
): Promise<Pick<OutboundAnswer, 'status' | 'headers'>> {
  const { body, ...head } = await openRequest({ url, headers, rules, timeoutMs: answerMsMax });
  body.on('error', () => {}).destroy();
  return head;
}
