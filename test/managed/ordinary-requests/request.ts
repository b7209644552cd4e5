/** Ordinary requests in a few words: the headers are those that real clients send. */
import type { RequestDescription } from '#request';

export interface OrdinaryRequest {
  /** A description of the ordinary request. */
  readonly kind: string;
  readonly request: RequestDescription;
}

type Headers = Readonly<Record<string, string>>;

const host = 'www.example.com';

const chrome: Headers = {
  'sec-ch-ua': '"Not/A)Brand";v="8", "Chromium";v="126", "Google Chrome";v="126"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'upgrade-insecure-requests': '1',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
};

/** One after the other for the requests of a list. */
const browsers: readonly Headers[] = [
  chrome,
  {
    'user-agent': 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'accept-language': 'de,en-US;q=0.7,en;q=0.3',
    'accept-encoding': 'gzip, deflate, br, zstd',
    dnt: '1',
    'sec-gpc': '1',
    connection: 'keep-alive',
    'upgrade-insecure-requests': '1',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
    'sec-fetch-user': '?1',
    priority: 'u=0, i',
    cookie: '_ga=GA1.2.1234567890.1700000000; PHPSESSID=7v2k5h0q3l1e9s8d6f4g2j1k0m; theme=dark',
  },
  {
    'user-agent':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'fr-FR,fr;q=0.9',
    'accept-encoding': 'gzip, deflate, br',
    referer: 'https://www.google.com/search?q=example+shop&ie=UTF-8',
    cookie:
      'session=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U; consent=%7B%22ads%22%3Afalse%2C%22stats%22%3Atrue%7D',
  },
  {
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'ja-JP,ja;q=0.9',
    'accept-encoding': 'gzip, deflate, br',
    cookie:
      'OptanonConsent=isGpcEnabled=0&datestamp=Sat+Jun+15+2024+10%3A12%3A30+GMT%2B0200+(CEST)&version=202405.1.0; cart=%5B%7B%22id%22%3A7%7D%5D',
  },
  {
    ...chrome,
    'sec-ch-ua': '"Not/A)Brand";v="8", "Chromium";v="126", "Microsoft Edge";v="126"',
    'user-agent':
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
    'accept-language': 'es-ES,es;q=0.9,en;q=0.8',
    cookie: `ajs_anonymous_id="b2d0a9b7-9e1c-4f3a-8a51-0c6f7f1d2e3b"; __cf_bm=Vq3k.1c2o9W7-1718444400-1.0.1.1-abc; lang=es`,
  },
  {
    ...chrome,
    'sec-ch-ua-mobile': '?1',
    'sec-ch-ua-platform': '"Android"',
    'user-agent':
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'x-requested-with': 'com.example.app',
    'accept-language': 'pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7',
  },
];

function browser(index: number): Headers {
  return { host, ...browsers[index % browsers.length]! };
}

/** A list of one kind, each request made from a piece by a maker that gets its position, too. */
export function each<Piece>(
  kind: string,
  pieces: readonly Piece[],
  make: (piece: Piece, index: number) => RequestDescription,
): readonly OrdinaryRequest[] {
  return pieces.map((piece, index) => ({ kind, request: make(piece, index) }));
}

export function page(url: string, index: number): RequestDescription {
  return { method: 'GET', url, headers: browser(index) };
}

export function search(text: string, index: number): RequestDescription {
  const urls = ['/search?q=', '/?s=', '/products?category=all&query=', '/api/suggest?limit=10&term='];
  const value =
    index % 2 === 0 ? encodeURIComponent(text) : new URLSearchParams({ v: text }).toString().slice(2);
  return page(`${urls[index % urls.length]!}${value}&page=1`, index);
}

export function submit(
  url: string,
  fields: Readonly<Record<string, string>>,
  index: number,
): RequestDescription {
  return {
    method: 'POST',
    url,
    headers: {
      ...browser(index),
      origin: `https://${host}`,
      referer: `https://${host}${url}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
  };
}

export function api(url: string, value: unknown, index: number, method = 'POST'): RequestDescription {
  return {
    method,
    url,
    headers: {
      ...browser(index),
      accept: 'application/json, text/plain, */*',
      origin: `https://${host}`,
      'content-type': 'application/json',
      'x-requested-with': 'XMLHttpRequest',
    },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  };
}

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: string;
}

/** Contents are binary strings. */
export function multipart(url: string, parts: readonly Part[], index: number): RequestDescription {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
  const pieces = parts.map(({ name, filename, type, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const typeLine = type === undefined ? '' : `\r\nContent-Type: ${type}`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${typeLine}\r\n\r\n${content}\r\n`;
  });
  return {
    method: 'POST',
    url,
    headers: { ...browser(index), 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(`${pieces.join('')}--${boundary}--\r\n`, 'latin1'),
  };
}

/** A client that is not a browser. */
export function client(userAgent: string, url: string, headers: Headers = {}): RequestDescription {
  return { method: 'GET', url, headers: { host, 'user-agent': userAgent, accept: '*/*', ...headers } };
}
