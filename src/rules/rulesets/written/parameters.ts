/** The parameters of rules that change requests and responses, as clients send them. */
import { expressionCharactersMax } from '#expressions';
import { annotate, choice, flag, integer, map, named, object, optional, text } from '#shapes';
import { errorContentMax, headerOperationsMax, hostCharactersMax, locationBytesMax } from '../limits.ts';

/** A constant text, or an expression that computes one for each request. */
const givenValue = {
  value: optional(text({ max: locationBytesMax })),
  expression: optional(text({ max: expressionCharactersMax })),
};

export const redirectStatuses = [301, 302, 303, 307, 308] as const;

/** The only URL that can be looked up in a list of redirects. */
export const bulkRedirectKey = 'http.request.full_uri';

export const redirectParameters = object({
  from_list: optional(
    named(
      'RedirectFromList',
      object(
        { name: text({ min: 1, max: 50 }), key: text({ min: 1, max: 100 }) },
        'redirect, in http_request_redirect: the list of redirects, and the URL that is looked up.',
      ),
    ),
  ),
  from_value: optional(
    named(
      'RedirectFromValue',
      object(
        {
          target_url: named('RedirectTarget', object(givenValue)),
          status_code: optional(
            annotate(integer({ min: 301, max: 308 }), {
              description: `One of ${redirectStatuses.join(', ')}; 302 if it is left out.`,
            }),
          ),
          preserve_query_string: optional(flag()),
        },
        'redirect: the target.',
      ),
    ),
  ),
});

const rewrittenPart = named('RewrittenPart', object(givenValue));

const headerOperations = ['set', 'add', 'remove'] as const;

const headerRewrite = named(
  'HeaderRewrite',
  object({
    operation: annotate(choice(headerOperations), {
      description: 'set replaces all fields of the name, add leaves them.',
    }),
    ...givenValue,
  }),
);

export const rewriteParameters = object({
  uri: optional(
    named(
      'UriRewrite',
      object(
        { path: optional(rewrittenPart), query: optional(rewrittenPart) },
        'rewrite, in http_request_transform: the URL that later rules and the origin see.',
      ),
    ),
  ),
  headers: optional(
    annotate(map(headerRewrite, { max: headerOperationsMax }), {
      description: 'rewrite, in the header phases: by the name of the header.',
    }),
  ),
});

export const routeParameters = object({
  host_header: optional(
    text({ min: 1, max: hostCharactersMax, description: 'route: the `Host` field that the origin gets.' }),
  ),
  origin: optional(
    named(
      'RouteOrigin',
      object(
        {
          host: optional(text({ min: 1, max: hostCharactersMax })),
          port: optional(integer({ min: 1, max: 65_535 })),
        },
        'route: the name or address, and the port, to connect to.',
      ),
    ),
  ),
  sni: optional(
    named(
      'RouteSni',
      object(
        { value: text({ min: 1, max: hostCharactersMax }) },
        'route: the name in the TLS handshake, which the certificate must match.',
      ),
    ),
  ),
});

/** Lower statuses are not errors, and no response can replace them. */
export const errorStatusMin = 400;

const errorTypes = ['text/html', 'text/plain', 'text/xml', 'application/json'] as const;

export const errorParameters = object({
  content: optional(text({ max: errorContentMax, description: 'serve_error: the body.' })),
  content_type: optional(
    annotate(choice(errorTypes), { description: 'serve_error: text/html if it is left out.' }),
  ),
  status_code: optional(
    annotate(integer({ min: errorStatusMin, max: 999 }), {
      description: 'serve_error: the status of the error if it is left out.',
    }),
  ),
  asset_name: optional(text({ max: 100, description: 'serve_error: not available.' })),
});

/** In Cloudflare's spelling. Most are about features that do not exist here: they are stored without effect. */
export const configurationParameters = object({
  ssl: optional(annotate(choice(['off', 'flexible', 'full', 'strict']), { description: 'set_config' })),
  security_level: optional(
    annotate(choice(['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack']), {
      description: 'set_config',
    }),
  ),
  bic: optional(annotate(flag(), { description: 'set_config: the check of browsers.' })),
  hotlink_protection: optional(annotate(flag(), { description: 'set_config' })),
  automatic_https_rewrites: optional(flag()),
  autominify: optional(
    named('AutoMinify', object({ css: optional(flag()), html: optional(flag()), js: optional(flag()) })),
  ),
  content_converter: optional(flag()),
  disable_pay_per_crawl: optional(flag()),
  email_obfuscation: optional(flag()),
  fonts: optional(flag()),
  mirage: optional(flag()),
  opportunistic_encryption: optional(flag()),
  redirects_for_ai_training: optional(flag()),
  request_body_buffering: optional(choice(['none', 'standard', 'full'])),
  response_body_buffering: optional(choice(['none', 'standard'])),
  rocket_loader: optional(flag()),
  server_side_excludes: optional(flag()),
  sxg: optional(flag()),
  polish: optional(choice(['off', 'lossless', 'lossy', 'webp'])),
  disable_apps: optional(flag()),
  disable_rum: optional(flag()),
  disable_zaraz: optional(flag()),
});
