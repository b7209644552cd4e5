/** Headers that clients send with their requests. */
import type { Random } from './random.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

const chrome: Headers = [
  ['sec-ch-ua', '"Not/A)Brand";v="8", "Chromium";v="126", "Google Chrome";v="126"'],
  ['sec-ch-ua-mobile', '?0'],
  ['sec-ch-ua-platform', '"Windows"'],
  ['upgrade-insecure-requests', '1'],
  [
    'user-agent',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  ],
  [
    'accept',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  ],
  ['sec-fetch-site', 'same-origin'],
  ['sec-fetch-mode', 'navigate'],
  ['accept-encoding', 'gzip, deflate, br, zstd'],
  ['accept-language', 'en-US,en;q=0.9'],
];

const firefox: Headers = [
  ['user-agent', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'],
  ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
  ['accept-language', 'de,en-US;q=0.7,en;q=0.3'],
  ['accept-encoding', 'gzip, deflate, br, zstd'],
  ['dnt', '1'],
  ['cookie', '_ga=GA1.2.1234567890.1700000000; PHPSESSID=7v2k5h0q3l1e9s8d6f4g2j1k0m; theme=dark'],
];

const safari: Headers = [
  [
    'user-agent',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  ],
  ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['accept-language', 'fr-FR,fr;q=0.9'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['referer', 'https://www.google.com/search?q=men%27s+shoes+%26+more&ie=UTF-8'],
  [
    'cookie',
    'consent=%7B%22ads%22%3Afalse%2C%22stats%22%3Atrue%7D; last=O%27Neill; _fbp=fb.1.1718444400000.123456789',
  ],
];

const script: Headers = [
  ...chrome.filter(([name]) => !/^(?:accept|upgrade-insecure-requests|sec-fetch-mode)$/.test(name)),
  ['accept', 'application/json, text/plain, */*'],
  ['origin', 'https://www.example.com'],
  ['sec-fetch-mode', 'cors'],
  ['x-requested-with', 'XMLHttpRequest'],
  ['referer', 'https://www.example.com/search?q=tea+%26+more&sort=-price'],
];

function program(...userAgents: readonly string[]): readonly Headers[] {
  return userAgents.map((userAgent) => [
    ['user-agent', userAgent],
    ['accept', '*/*'],
  ]);
}

const clients: Readonly<Record<string, readonly Headers[]>> = {
  browser: [chrome, firefox, safari],
  xhr: [script],
  app: program(
    'ExampleShop/4.2.1 (iPhone; iOS 17.5.1; Scale/3.00)',
    'com.example.shop/402 (Linux; U; Android 14; en_US; Pixel 8; Build/AP1A.240505.004)',
    'okhttp/4.12.0',
    'Dart/3.4 (dart:io)',
  ),
  cli: program(
    'curl/8.5.0',
    'python-requests/2.32.3',
    'npm/10.8.1 node/v22.3.0 linux x64',
    'Go-http-client/2.0',
  ),
  service: program(
    'GitHub-Hookshot/f1a2b3c',
    'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'Java/17.0.11',
    'GuzzleHttp/7',
  ),
  bot: program(
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'kube-probe/1.30',
  ),
  device: program('ESP8266HTTPClient', 'Arduino/1.8', 'Lua-Http/0.3; esp32'),
  dav: program(
    'Microsoft-WebDAV-MiniRedir/10.0.19045',
    'mirall/3.13.0 (Nextcloud; ubuntu; os-arch: x86_64)',
    'gvfs/1.54.0',
  ),
  git: program('git/2.45.2'),
};

export function chooseClient(name: string, random: Random): Headers {
  const headers = clients[name];
  if (headers === undefined) throw new Error(`there is no client ~${name}`);
  return random.pick(headers);
}
