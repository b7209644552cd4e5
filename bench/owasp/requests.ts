/** Requests for measuring a firewall with the OWASP rules: none is an attack. */
import type { SampleRequest } from '../edge/requests.ts';
import { zoneName } from '../edge/zones.ts';

const browser = {
  Host: zoneName,
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.5',
  'Accept-Encoding': 'gzip, deflate, br',
  Connection: 'keep-alive',
  Referer: `https://${zoneName}/list?page=2`,
  'Upgrade-Insecure-Requests': '1',
  Cookie: 'sid=8f3a9c1b2d4e5f60718293a4b5c6d7e8; theme=dark; lang=en-US',
};
const words =
  'the quick brown fox jumps over lazy dogs while seven wizards brew coffee near old harbour town'.split(' ');

/** A word that stands in every argument, so that another one in its place makes values that no request had before. */
const ownWord = 'zq0000';

/** The text of a request with new words. */
export function renewWords(text: string): string {
  return text.replaceAll(
    ownWord,
    () =>
      `zq${Math.floor(Math.random() * 36 ** 4)
        .toString(36)
        .padStart(4, '0')}`,
  );
}

/** Words in an order that does not repeat soon. */
function sentence(length: number, seed: number): string {
  let text = `${ownWord} `;
  for (let at = seed; text.length < length; at = (at * 7 + 3) % 97) text += `${words[at % words.length]} `;
  return text.trim();
}

const fields = Array.from({ length: 12 }, (_, index) => `field${index}=${sentence(140, index)}`);
const items = (count: number, noteLength: number): string =>
  JSON.stringify({
    items: Array.from({ length: count }, (_, id) => ({
      id,
      name: sentence(noteLength / 2, id),
      note: sentence(noteLength, id + 5),
      price: id + 12.5,
    })),
  });
const post = (type: string, name: string, body: string): SampleRequest => ({
  name,
  method: 'POST',
  target: '/post',
  headers: { ...browser, 'Content-Type': type },
  body,
});

export const requests: readonly SampleRequest[] = [
  {
    name: 'a tiny GET',
    method: 'GET',
    target: '/',
    headers: { Host: zoneName, 'User-Agent': 'curl/8.5', Accept: '*/*' },
    body: '',
  },
  {
    name: 'five arguments, headers of a browser, three cookies',
    method: 'GET',
    target: `/search?q=blue+${ownWord}&page=4&sort=price&category=${ownWord}&ref=home`,
    headers: browser,
    body: '',
  },
  post('application/x-www-form-urlencoded', 'a form of 2 KB', fields.join('&').replaceAll(' ', '+')),
  post('application/json', '8 KB of JSON, 124 values', items(31, 110)),
  post('application/json', '8 KB of JSON, 300 values', items(75, 26)),
];
