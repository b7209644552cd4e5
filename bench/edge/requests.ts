/** Typical requests of a site. */
import { zoneName } from './zones.ts';

export interface SampleRequest {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const agent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

export const page: SampleRequest = {
  name: 'a page for a browser',
  method: 'GET',
  target:
    '/products/summer-dresses/1042-item.html?page=2&sort=price_asc&colour=dark%20blue&utm_source=newsletter',
  headers: {
    Host: zoneName,
    Connection: 'keep-alive',
    'sec-ch-ua': '"Not/A)Brand";v="8", "Chromium";v="126", "Google Chrome";v="126"',
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Windows"',
    'Upgrade-Insecure-Requests': '1',
    'User-Agent': agent,
    Accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-User': '?1',
    'Sec-Fetch-Dest': 'document',
    Referer: `https://${zoneName}/products/summer-dresses/`,
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    'Accept-Language': 'en-GB,en-US;q=0.9,en;q=0.8,de;q=0.7',
    Cookie:
      '_ga=GA1.2.1234567890.1700000000; session=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U; consent=%7B%22ads%22%3Afalse%2C%22stats%22%3Atrue%7D; theme=dark',
  },
  body: '',
};

/** `#`, in the target `%23`, stands for a unique number. */
export const tinyUnlike: SampleRequest = {
  name: 'a tiny GET',
  method: 'GET',
  target: '/item-%23',
  headers: { Host: zoneName, 'User-Agent': 'curl/8.5', Accept: '*/*' },
  body: '',
};

export const pageUnlike: SampleRequest = {
  name: 'a GET of a browser with five arguments',
  method: 'GET',
  target:
    '/search/item-%23?q=blue%20dress%20no%20%23&page=%23&sort=price_%23&category=summer-%23&ref=home%2F%23',
  headers: {
    Host: zoneName,
    'User-Agent': agent,
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'Accept-Language': 'en-GB,en-US;q=0.9,en;q=0.8,de;q=0.7',
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    Connection: 'keep-alive',
    Referer: `https://${zoneName}/list/item-#?page=2`,
    'Upgrade-Insecure-Requests': '1',
    Cookie: '_ga=GA1.2.#.1700000000; sid=8f3a9c1b2d4e5f60718293a4b5#; theme=dark-#',
  },
  body: '',
};

export const call: SampleRequest = {
  name: 'a call with 1 KiB of JSON',
  method: 'POST',
  target: '/api/v2/orders?dry_run=false',
  headers: {
    Host: zoneName,
    Connection: 'keep-alive',
    'User-Agent': agent,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/plain, */*',
    Origin: `https://${zoneName}`,
    'X-Requested-With': 'XMLHttpRequest',
    Authorization:
      'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    Referer: `https://${zoneName}/checkout`,
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    'Accept-Language': 'en-GB,en;q=0.8',
    Cookie: '_ga=GA1.2.1234567890.1700000000; theme=dark',
  },
  body: orderOf(1024),
};

function orderOf(bytes: number): string {
  const customer = {
    name: "Maria O'Neill",
    email: 'maria.oneill@mail.example',
    address: { street: '12, Rue de la Paix', city: 'Paris', postcode: '75002', country: 'FR' },
    note: 'Please leave it with the neighbour (first floor), or ring & wait; thank you!',
  };
  const items: unknown[] = [];
  const text = (note = ''): string => JSON.stringify({ customer, items, gift: true, note });
  for (let index = 0; text().length < bytes - 150; index++) {
    items.push({
      sku: `SKU-${10_400 + index}`,
      title: `Linen dress No. ${index}, size M/L`,
      quantity: 1 + (index % 3),
      price: 79.9 + index,
    });
  }
  return text('x'.repeat(bytes - text().length));
}
