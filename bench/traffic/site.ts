/**
 * A typical configuration of a site: 20 redirects, 10 rules about fields, 5 rate limits, 3 pools, rules that rewrite
 * URLs, choose origins and settings and answer in place of errors. With each rule comes a request that shows that it
 * acts.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Visited } from './program.ts';

export interface Shown {
  readonly what: string;
  readonly phase: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Below the zone's own name. */
  readonly name?: string;
  /** This many requests before the one that is checked. */
  readonly times?: number;
  isRight(answer: Visited): boolean;
  /** The answer to trace with, if it matters. */
  readonly status?: number;
}

interface SiteRule {
  readonly phase: string;
  readonly rule: object;
  readonly shown: Shown;
}

const on = (path: string): string => `http.request.uri.path eq "${path}"`;

function echoed({ body }: Visited): Readonly<Record<string, string>> {
  try {
    return JSON.parse(body) as Readonly<Record<string, string>>;
  } catch {
    return {};
  }
}

const redirects = Array.from({ length: 20 }, (_, index): SiteRule => {
  const path = `/old/${index}`;
  const target = `https://new.example/${index}`;
  const status = index % 2 === 0 ? 301 : 302;
  const phase = 'http_request_dynamic_redirect';
  return {
    phase,
    rule: {
      ref: `redirect-${index}`,
      action: 'redirect',
      expression: on(path),
      action_parameters: {
        from_value: {
          status_code: status,
          target_url:
            index % 4 === 0 ? { expression: `concat("${target}", "?from=", http.host)` } : { value: target },
          preserve_query_string: false,
        },
      },
    },
    shown: {
      what: `redirect ${index}`,
      phase,
      path,
      isRight: (answer) => answer.status === status && String(answer.headers['location']).startsWith(target),
    },
  };
});

const fields = Array.from({ length: 10 }, (_, index): SiteRule => {
  const path = `/fields/${index}`;
  const isOfRequest = index < 5;
  const phase = isOfRequest ? 'http_request_late_transform' : 'http_response_headers_transform';
  const name = `x-rule-${index}`;
  return {
    phase,
    rule: {
      ref: `fields-${index}`,
      action: 'rewrite',
      expression: on(path),
      action_parameters: {
        headers: { [name]: { operation: 'set', expression: `concat("${index}-", http.request.method)` } },
      },
    },
    shown: {
      what: `fields ${index}`,
      phase,
      path,
      isRight: (answer) => (isOfRequest ? echoed(answer)[name] : answer.headers[name]) === `${index}-GET`,
    },
  };
});

const limits = Array.from({ length: 5 }, (_, index): SiteRule => {
  const path = `/limited/${index}`;
  const phase = 'http_ratelimit';
  return {
    phase,
    rule: {
      ref: `limit-${index}`,
      action: 'block',
      expression: on(path),
      ratelimit: {
        characteristics: ['cf.colo.id', index % 2 === 0 ? 'ip.src' : 'http.request.headers["x-visitor"]'],
        period: 60,
        requests_per_period: 3,
        mitigation_timeout: index < 3 ? 60 : 0,
      },
    },
    shown: {
      what: `rate limit ${index}`,
      phase,
      path,
      headers: { 'x-visitor': 'shown' },
      times: 20,
      isRight: ({ status, headers }) => status === 429 && Number(headers['retry-after']) >= 1,
    },
  };
});

const others: readonly SiteRule[] = [
  {
    phase: 'http_request_transform',
    rule: {
      ref: 'rewrite',
      action: 'rewrite',
      expression: on('/pretty'),
      action_parameters: { uri: { path: { value: '/index' }, query: { value: 'page=pretty' } } },
    },
    shown: {
      what: 'URL rewrite',
      phase: 'http_request_transform',
      path: '/pretty',
      isRight: (answer) => echoed(answer)['url'] === '/index?page=pretty',
    },
  },
  {
    phase: 'http_request_origin',
    rule: {
      ref: 'origin',
      action: 'route',
      expression: on('/elsewhere'),
      action_parameters: { host_header: 'backend.example' },
    },
    shown: {
      what: 'origin rule',
      phase: 'http_request_origin',
      path: '/elsewhere',
      isRight: (answer) => echoed(answer)['host'] === 'backend.example',
    },
  },
  {
    phase: 'http_config_settings',
    rule: {
      ref: 'settings',
      action: 'set_config',
      expression: on('/unchecked'),
      action_parameters: { bic: false },
    },
    shown: {
      what: 'configuration rule',
      phase: 'http_config_settings',
      path: '/unchecked',
      isRight: ({ status }) => status === 200,
    },
  },
  {
    phase: 'http_custom_errors',
    rule: {
      ref: 'errors',
      action: 'serve_error',
      expression: 'http.response.code eq 404',
      action_parameters: { content: '<h1>Not here</h1>', content_type: 'text/html' },
    },
    shown: {
      what: 'custom error',
      phase: 'http_custom_errors',
      path: '/404',
      status: 404,
      isRight: ({ status, body }) => status === 404 && body === '<h1>Not here</h1>',
    },
  },
];

export const siteRules: readonly SiteRule[] = [...redirects, ...fields, ...limits, ...others];

/** By phase, in their order. */
export function listRulesets(): ReadonlyMap<string, readonly object[]> {
  const phases = Map.groupBy(siteRules, ({ phase }) => phase);
  return new Map([...phases].map(([phase, rules]) => [phase, rules.map(({ rule }) => rule)]));
}

export const poolNames = ['primary', 'images', 'spare'] as const;

/** A name of the zone for each pool. */
export function listPools(
  originPorts: readonly number[],
): { readonly name: string; readonly origins: object[] }[] {
  return poolNames.map((name) => ({
    name,
    origins: originPorts.map((port, index) => ({
      name: `${name}-${index}`,
      address: '127.0.0.1',
      port,
      weight: 1,
    })),
  }));
}

export const balancedShown: readonly Shown[] = poolNames.map((name) => ({
  what: `pool ${name}`,
  phase: '',
  name,
  path: '/balanced',
  isRight: (answer) => answer.status === 200 && echoed(answer)['url'] === '/balanced',
}));
